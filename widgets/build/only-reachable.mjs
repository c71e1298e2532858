// Pyodide's script without what nobody can reach. Emscripten puts its whole library into it, OpenGL and SDL and all,
// for native modules to be linked with; those of this site ask for a part of it, and the rest is more than half.

import { parse } from "acorn";
import { full } from "acorn-walk";

/**
 * @typedef {any} Node of acorn
 * @typedef {{ node: Node, keys: string[], reads: Set<string> }} Part that stays where one of its keys is read: the name
 *   of a variable, a name of a property with a dot before it, or a symbol with `link ` before it
 * @typedef {Map<string, Part[]>} Parts by their keys
 */

const ALWAYS = "";
// A property of the module, and the script does not say which.
const ANY = "any property";
const TABLE = "wasmImports";
// The context that all of OpenGL draws into.
const CONTEXT = "GLctx";
// Statements that only prepare what is named, and go with it.
const PREPARATIONS = new Map([
  ["MainLoop.init();", "MainLoop"],
  ["registerPostMainLoop(()=>SDL.audio?.queueNewAudioData?.());", "SDL"],
  ["for(let i=0;i<32;++i)tempFixedLengthArray.push(new Array(i));", "tempFixedLengthArray"],
  [
    "for(var i=0;i<=288;++i){miniTempWebGLFloatBuffers[i]=miniTempWebGLFloatBuffersStorage.subarray(0,i)}",
    "miniTempWebGLFloatBuffers",
  ],
  [
    "for(var i=0;i<=288;++i){miniTempWebGLIntBuffers[i]=miniTempWebGLIntBuffersStorage.subarray(0,i)}",
    "miniTempWebGLIntBuffers",
  ],
]);

/**
 * @param {string} script
 * @param {string[]} readers other scripts that read properties of its module
 * @param {import("./linked-symbols.mjs").Symbols} symbols
 */
export function onlyReachable(script, readers, { called, addressed }) {
  const statements = statementsOf(script);
  const all = statements.flatMap((statement) => partsOf(statement, script));
  mustFit(all, script);
  const parts = byKey(all);
  const outside = readers.flatMap((text) => text.match(/[\w$]+/g) ?? []).map((name) => `.${name}`);
  const linked = [...called, ...[...addressed].filter((symbol) => !draws(parts, symbol))].map(link);
  const { kept, read } = reached(parts, [ALWAYS, ...outside, ...linked]);
  // The addresses of what draws are null, which is right where nobody can make a context.
  if (read.has(CONTEXT)) throw new Error(`Pyodide's script is asked to draw: ${CONTEXT} is read`);
  if (read.has(ANY)) throw new Error("Pyodide's script reads any property of its module");
  return written(script, statements, new Set([...kept].map((part) => part.node)));
}

/** @param {string} script @returns {Node[]} the statements of its one function */
function statementsOf(script) {
  const [made, exported, ...more] = /** @type {Node[]} */ (
    parse(script, { ecmaVersion: "latest", sourceType: "module" }).body
  );
  if (made?.type !== "FunctionDeclaration" || exported?.type !== "ExportDefaultDeclaration" || more.length) {
    throw new Error("Pyodide's script is more than one function and its export");
  }
  return made.body.body;
}

/** @param {Node} statement @param {string} script @returns {Part[]} */
function partsOf(statement, script) {
  if (statement.type === "FunctionDeclaration") {
    return [part(statement, [statement.id.name], [...statement.params, statement.body])];
  }
  if (statement.type === "VariableDeclaration") return statement.declarations.flatMap(partsOfVariable);
  const set = statement.type === "ExpressionStatement" ? statement.expression : statement;
  if (set.type === "AssignmentExpression" && isPassive(set.right) && set.left.type === "MemberExpression") {
    const { object, property, computed } = set.left;
    const isOfModule = object.name === "Module" && computed && typeof property.value === "string";
    if (isOfModule) return [part(statement, [`.${property.value}`], [set.right])];
    if (object.type === "Identifier" && object.name !== "Module") return [part(statement, [object.name], [set.right])];
  }
  const prepared = PREPARATIONS.get(textOf(statement, script));
  return [part(statement, [prepared ?? ALWAYS], [statement])];
}

/** @param {Node} declarator @returns {Part[]} */
function partsOfVariable(declarator) {
  const { id, init } = declarator;
  if (id.type !== "Identifier" || !isPassive(init)) return [part(declarator, [ALWAYS], [declarator])];
  if (id.name !== TABLE) return [part(declarator, [id.name], init ? [init] : [])];
  const entries = init.properties.map((/** @type {Node} */ entry) => {
    const symbol = entry.key.name ?? entry.key.value;
    return part(entry, [link(symbol), `.${symbol}`], [entry.value]);
  });
  return [part(declarator, [TABLE], []), ...entries];
}

/** @param {Node} node @param {string[]} keys @param {Node[]} readers @returns {Part} */
function part(node, keys, readers) {
  return { node, keys, reads: new Set(readers.flatMap(readBy)) };
}

/** @param {string} symbol */
function link(symbol) {
  return `link ${symbol}`;
}

/** Whether making it has no effect. @param {Node | null} node @returns {boolean} */
function isPassive(node) {
  if (!node || /^(Literal|Identifier|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return true;
  if (node.type === "MemberExpression") return !node.computed && isPassive(node.object);
  if (node.type === "UnaryExpression") return node.operator !== "delete" && isPassive(node.argument);
  if (node.type === "ArrayExpression") return node.elements.every(isPassive);
  if (node.type !== "ObjectExpression") return false;
  return node.properties.every((/** @type {Node} */ { computed, value }) => !computed && value && isPassive(value));
}

/** The keys that a piece of script reads, whatever scope its names belong to. @param {Node} piece */
function readBy(piece) {
  /** @type {string[]} */
  const keys = [];
  full(piece, (/** @type {Node} */ node) => {
    if (node.type === "Identifier") keys.push(node.name);
    else if (node.type === "Literal" && typeof node.value === "string") keys.push(`.${node.value}`);
    else if (node.type === "MemberExpression" && !node.computed) keys.push(`.${node.property.name}`);
    else if (node.type === "MemberExpression" && node.object.name === "Module")
      keys.push(...keyOfComputed(node.property));
    else if (node.type === "ObjectPattern") keys.push(...node.properties.map(keyOfPattern));
  });
  return keys;
}

/** @param {Node} property */
function keyOfComputed({ type, value }) {
  return type === "Literal" ? [`.${value}`] : [ANY];
}

/** @param {Node} property */
function keyOfPattern({ key }) {
  return `.${key?.name ?? key?.value}`;
}

/** @param {Part[]} parts @param {string} script */
function mustFit(parts, script) {
  const keys = parts.flatMap((each) => each.keys);
  for (const name of [TABLE, CONTEXT]) {
    if (!keys.includes(name)) throw new Error(`Pyodide's script has no variable ${name}`);
  }
  for (const statement of PREPARATIONS.keys()) {
    const count = parts.filter(({ node }) => textOf(node, script) === statement).length;
    if (count !== 1) throw new Error(`Pyodide's script has ${count} times, not once: ${statement}`);
  }
}

/** @param {Part[]} parts @returns {Parts} */
function byKey(parts) {
  /** @type {Parts} */
  const found = new Map();
  for (const each of parts) {
    for (const key of each.keys) found.set(key, [...(found.get(key) ?? []), each]);
  }
  return found;
}

/** Whether a symbol's function works only where there is something to draw into. @param {Parts} parts @param {string} symbol */
function draws(parts, symbol) {
  return reached(parts, [link(symbol)], (key) => !key.startsWith(".")).read.has(CONTEXT);
}

/**
 * @param {Parts} parts
 * @param {Iterable<string>} keys read from the first
 * @param {(key: string) => boolean} follow
 */
function reached(parts, keys, follow = () => true) {
  /** @type {Set<Part>} */
  const kept = new Set();
  const read = new Set(keys);
  // A set that grows while it is gone through is gone through to its end.
  for (const key of read) {
    for (const each of parts.get(key) ?? []) {
      kept.add(each);
      for (const next of each.reads) if (follow(next)) read.add(next);
    }
  }
  return { kept, read };
}

/** @param {string} script @param {Node[]} statements @param {Set<Node>} kept */
function written(script, statements, kept) {
  const rest = (/** @type {Node[]} */ nodes) => nodes.filter((node) => kept.has(node));
  const variable = (/** @type {Node} */ node) =>
    node.id.name === TABLE
      ? `${TABLE}={${rest(node.init.properties).map((entry) => textOf(entry, script))}}`
      : textOf(node, script);
  const statement = (/** @type {Node} */ node) => {
    if (node.type !== "VariableDeclaration") return kept.has(node) ? textOf(node, script).replace(/[^;]$/, "$&;") : "";
    const variables = rest(node.declarations).map(variable);
    return variables.length ? `${node.kind} ${variables};` : "";
  };
  const [first, last] = [statements[0], statements[statements.length - 1]];
  return `${script.slice(0, first.start)}${statements.map(statement).join("")}${script.slice(last.end)}`;
}

/** @param {Node} node @param {string} script */
function textOf({ start, end }, script) {
  return script.slice(start, end);
}
