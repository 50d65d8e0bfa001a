// The elements of all panels: strips for vectors, cells of matrices, and bars with numbers at the end.
import {decimal, html, norm, percent, svg} from "./dom.js";

const LEVELS = 12; // levels of opacity, with one SVG path for each, however many numbers there are

/** Draw numbers as cells of a grid in a few SVG paths. The opacity shows the size relative to `most`, and the colour
    shows the sign. role: the colour of positive numbers. */
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

/** Draw a frame around a row in a square picture of `size` tokens. If there are many, it leaves a gap around the row. */
export function outline(row, size) {
  const room = size > 40 ? size / 40 : 0;
  return svg("rect", {class: "mb-outline", x: 0, y: row - room, width: size, height: 1 + 2 * room});
}

/** Draw a vector as a strip of cells, blue for positive numbers and orange for negative ones. The colour is full from
    the quantile `full` of the sizes, so that a few outliers do not make all other numbers pale. The pointer or the
    arrow keys choose a number, which is passed to tell(text); at the end tell gets "". name: a description of the
    vector for screen readers. */
export function strip(vector, name, tell = () => {}, columns = vector.length, full = 0.95) {
  const sorted = Float32Array.from(vector, Math.abs).sort();
  const most = sorted[Math.min(sorted.length - 1, Math.floor(full * sorted.length))] || 1;
  const rows = Math.ceil(vector.length / columns);
  const title = svg("title");
  const cursor = svg("rect", {class: "mb-cursor", width: 1, height: 1, visibility: "hidden"});
  const told = i => `number ${i + 1} of ${vector.length}: ${decimal(vector[i])}`;
  let now = 0;
  const go = i => {
    if (!(i in vector)) return;
    now = i;
    title.textContent = told(i);
    picture.setAttribute("aria-valuenow", i + 1);
    picture.setAttribute("aria-valuetext", title.textContent);
    tell(title.textContent);
  };
  const byKey = i => {
    go(i);
    cursor.setAttribute("x", now % columns);
    cursor.setAttribute("y", Math.floor(now / columns));
    cursor.setAttribute("visibility", "visible");
  };
  const leave = () => {
    cursor.setAttribute("visibility", "hidden");
    tell("");
  };
  const picture = svg(
    "svg",
    {
      class: "mb-strip",
      viewBox: `0 0 ${columns} ${rows}`,
      preserveAspectRatio: "none",
      tabindex: 0,
      role: "slider",
      "aria-label": `${name}: its numbers`,
      "aria-valuemin": 1,
      "aria-valuemax": vector.length,
      "aria-valuenow": 1,
      "aria-valuetext": told(0),
      mousemove: ({clientX, clientY}) => {
        const box = picture.getBoundingClientRect();
        const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
        go(Math.floor(y * rows) * columns + Math.floor(x * columns));
      },
      mouseleave: leave,
      focus: () => picture.matches(":focus-visible") && byKey(now),
      blur: leave,
      keydown: event => {
        const next = {
          ArrowRight: now + 1,
          ArrowLeft: now - 1,
          ArrowDown: now + columns,
          ArrowUp: now - columns,
          Home: 0,
          End: vector.length - 1,
        }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        byKey(next);
      },
    },
    title,
    ...cells(vector, columns, most),
    cursor,
  );
  return picture;
}

/** Return a strip, and next to it an element with the vector's norm or the chosen number. */
export function stripAndNorm(vector, name, ...shape) {
  const usual = `norm ${decimal(norm(vector))}`;
  const said = html("span", {class: "mb-number"}, usual);
  const short = text => text.replace(/^number (\d+) of \d+: /, "[$1] ");
  return [strip(vector, name, text => (said.textContent = short(text) || usual), ...shape), said];
}

/** Return a labelled strip with the vector's norm at its end. sign: the operation before it, such as "+". */
export function vectorRow(label, role, vector, sign = "") {
  return html(
    "div",
    {class: "mb-vector", style: `--role: var(--mb-${role})`},
    html("span", {class: "mb-sign", "aria-hidden": "true"}, sign),
    html("span", {class: "mb-name"}, label),
    ...stripAndNorm(vector, label),
  );
}

/** Return the end of the scale for bars: 10%, 25% or 50% if all shares are that small, otherwise 100%. */
export function scaleEnd(rows) {
  const longest = Math.max(...rows.map(([, share, before]) => Math.max(share, before || 0)));
  return [0.1, 0.25, 0.5].find(limit => longest <= limit) || 1;
}

/** Return bars with a text before and a percentage after each. rows: [text, share, previous share or null]. end: the
    end of the scale. */
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

/** Return a switch for a part of the model, which is on while the part is in use; or null without `flip`. */
export function toggle(on, name, key, flip) {
  if (!flip) return null;
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
