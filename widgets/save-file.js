// Handing a text to the reader as a file.

/** @param {string} name @param {string} text @param {string} type of its contents */
export function saveFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
