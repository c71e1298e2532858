// What the pages are held to, and what of it the theme does not keep.

/** Rules of taste, which no browser or reader notices. */
const taste = [
  "doctype-style",
  "no-implicit-input-type",
  "no-trailing-whitespace",
  "prefer-native-element",
  "presentation-role-style",
];

/** Faults of Material for MkDocs: its drawer, its search and its navigation. */
const theme = ["input-attributes", "unique-landmark", "valid-autocomplete", "valid-id", "wcag/h32"];

/** A field and an output of a live example share a name: the value before and after a step. */
const wanted = ["form-dup-name"];

export default {
  root: true,
  extends: ["html-validate:standard"],
  elements: ["html5"],
  rules: Object.fromEntries([...taste, ...theme, ...wanted].map((rule) => [rule, "off"])),
};
