// The marks of which every panel is made: strips of a vector, matrices, bars with their number at the end.
import {decimal, html, norm, percent, svg} from "./dom.js";

const LEVELS = 12; // of opacity: one path each, however many numbers there are

/** Draw numbers as cells of a grid, as a few SVG paths; opacity is the number over `most`, colour its sign.
    role: the colour of positive numbers. */
export function cells(values, columns, most, role = "positive") {
  const paths = {};
  values.forEach((value, i) => {
    const level = Math.min(LEVELS, Math.ceil((LEVELS * Math.abs(value)) / most - 0.25));
    if (level < 1) return;
    const key = `${value < 0 ? "negative" : role} ${level}`;
    paths[key] = `${paths[key] || ""}M${i % columns} ${Math.floor(i / columns)}h1v1h-1z`;
  });
  return Object.entries(paths).map(([key, d]) => {
    const [name, level] = key.split(" ");
    return svg("path", {d, fill: `var(--mb-${name})`, "fill-opacity": (level / LEVELS).toFixed(3)});
  });
}

/** One vector as a strip of cells. Blue is positive, orange is negative. From the share `full` of the numbers
    on, by size, the colour is full, so that a few outliers do not pale all others. The pointer's number is in
    the tooltip. */
export function strip(vector, columns = vector.length, full = 0.95) {
  const sorted = Float32Array.from(vector, Math.abs).sort();
  const most = sorted[Math.min(sorted.length - 1, Math.floor(full * sorted.length))] || 1;
  const title = svg("title");
  const tell = ({currentTarget, clientX, clientY}) => {
    const box = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    const rows = Math.ceil(vector.length / columns);
    const i = Math.floor(y * rows) * columns + Math.floor(x * columns);
    if (i in vector) title.textContent = `number ${i + 1} of ${vector.length}: ${decimal(vector[i])}`;
  };
  return svg(
    "svg",
    {
      mousemove: tell,
      class: "mb-strip",
      viewBox: `0 0 ${columns} ${Math.ceil(vector.length / columns)}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    title,
    ...cells(vector, columns, most),
  );
}

/** A labelled strip with the vector's norm at its end. sign: what happens to it, such as "+". */
export function vectorRow(label, role, vector, sign = "") {
  return html(
    "div",
    {class: "mb-vector", style: `--role: var(--mb-${role})`},
    html("span", {class: "mb-sign", "aria-hidden": "true"}, sign),
    html("span", {class: "mb-name"}, label),
    strip(vector),
    html("span", {class: "mb-number"}, `norm ${decimal(norm(vector))}`),
  );
}

/** Where the scale of bars ends: small shares are on one that ends at 10%, 25% or 50%. */
export function scaleEnd(rows) {
  const longest = Math.max(...rows.map(([, share, before]) => Math.max(share, before || 0)));
  return [0.1, 0.25, 0.5].find(limit => longest <= limit) || 1;
}

/** Bars with a text before and the percent behind each. rows: [text, share, share before or null]. end: of
    the scale. */
export function barList(rows, role, label, end = 1) {
  const wide = share => `${((100 * share) / end).toFixed(2)}%`;
  return html(
    "ol",
    {class: "mb-bars", "aria-label": label},
    ...rows.map(([text, share, before = null]) =>
      html(
        "li",
        {style: `--role: var(--mb-${role})`},
        html("bdi", {class: "mb-word", title: text}, text),
        html(
          "span",
          {class: "mb-bar", "aria-hidden": "true"},
          html("span", {class: "mb-fill", style: `width: ${wide(share)}`}),
          before === null ? null : html("span", {class: "mb-before", style: `left: ${wide(before)}`}),
        ),
        html("span", {class: "mb-number"}, percent(share)),
      ),
    ),
  );
}

/** A switch: a button that is pressed while its part of the model works. */
export function toggle(on, name, key, flip) {
  return html(
    "button",
    {
      type: "button",
      class: "mb-switch",
      role: "switch",
      "aria-checked": String(on),
      "aria-label": name,
      "data-key": key,
      click: flip,
    },
    html("span", {class: "mb-knob", "aria-hidden": "true"}),
    on ? "on" : "off",
  );
}
