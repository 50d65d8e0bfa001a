// Helpers that create elements and format numbers. Text is always inserted as text, never as HTML.

/** Create an HTML element. attributes: a function becomes a listener, and a boolean sets or omits the attribute. */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Create an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Format a share as a percentage, such as "35%". Values near 0% and 100% keep one decimal, and values that would
    round to 0% or 100% become "<0.1%" or ">99.9%". */
export function percent(share) {
  const value = 100 * share;
  if (value > 0 && value < 0.1) return "<0.1%";
  if (value > 99.9 && value < 100) return ">99.9%";
  const near = (value > 0 && value < 9.95) || (value > 99 && value < 100);
  return `${value.toFixed(near ? 1 : 0)}%`;
}

/** Format a number with two decimals and a real minus sign. */
export function decimal(value) {
  return value.toFixed(2).replace("-", "−");
}

/** Format 12345 as "12,345", whatever the browser's language. */
export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Put quotation marks around a token, which is shortened if it is too long. */
export function quoted(token) {
  return `“${shortened(token, 24)}”`;
}

/** Cut a token to `most` characters (code points, so that no emoji is cut in half). */
export function shortened(token, most) {
  const letters = [...token];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : token;
}

/** Return the L2 norm of a vector, which is its length. */
export function norm(vector) {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

/** Return the indices of the `most` largest numbers, largest first. */
export function largest(values, most) {
  return [...values.keys()].sort((a, b) => values[b] - values[a]).slice(0, most);
}

/** Let the arrow keys, Home and End move the focus among a container's buttons, so that Tab stops only once. */
export function roving(container, chosen = 0) {
  const buttons = () => [...container.querySelectorAll("button")];
  buttons().forEach((button, i) => {
    button.tabIndex = i === chosen ? 0 : -1;
  });
  const STEPS = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
  container.addEventListener("keydown", event => {
    const all = buttons();
    const now = all.indexOf(event.target.closest("button"));
    const next = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : now + STEPS[event.key];
    if (now < 0 || !(next >= 0 && next < all.length)) return;
    event.preventDefault();
    event.stopPropagation();
    for (const button of all) button.tabIndex = -1;
    all[next].tabIndex = 0;
    all[next].focus();
  });
  return container;
}
