// The tokens as a row of chips. A click or Enter masks or unmasks a token, and the arrow keys move along the row.
import {html, roving, shortened} from "./dom.js";

/** Draw the chips. state.words: the tokens before masking. */
export function chips({state, numbers, act}) {
  const {tokens, types, special, masked} = numbers.header;
  const hidden = new Set(masked);
  const row = html("div", {
    class: "mb-chips",
    role: "toolbar",
    "data-part": "chips",
    "aria-label": "Tokens. The arrow keys choose a token, and Enter masks or unmasks it.",
  });
  tokens.forEach((token, t) => {
    if (t === 0 || types[t] !== types[t - 1])
      row.append(html("span", {class: "mb-side"}, "AB"[types[t]] || "B"));
    row.append(chip({state, act}, t, token, special[t], hidden.has(t)));
  });
  return roving(row, Math.min(state.token, tokens.length - 1));
}

function chip({state, act}, t, token, special, masked) {
  const was = masked && state.words[t] !== token ? state.words[t] : null;
  const told = `${token}${was ? ` ${was}` : ""}, token ${t + 1}${masked ? ", masked" : ""}`; // begins with what is seen
  return html(
    "button",
    {
      type: "button",
      class: `mb-chip${masked ? " mb-masked" : ""}${special ? " mb-special" : ""}`,
      "aria-label": told,
      title: told,
      "aria-pressed": special ? false : String(masked),
      "data-key": `token ${t}`,
      "data-t": t,
      click: () => act.mask(t),
      focus: () => act.choose(t),
      mouseenter: () => act.hover(t),
      mouseleave: () => act.hover(null),
    },
    html("bdi", {}, shortened(token, 24)),
    was ? " " : null,
    was ? html("small", {dir: "auto"}, shortened(was, 24)) : null,
  );
}
