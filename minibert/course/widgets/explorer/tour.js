// A guided tour: one sentence a step, and the picture in the state of which the sentence speaks.
import {html} from "./dom.js";

/** The steps: what is said, the part that is lit up, and the state (layers and heads counted from 0).
    pairs: the model has an output head for next sentence prediction. */
export function tourSteps(layers, pairs) {
  const layer = ["layer", 0];
  const head = ["head", 0, 0];
  const middle = Math.floor(layers / 2);
  return [
    [
      "This is a whole BERT: rows are tokens, columns its parts, and information goes from left to right.",
      "map",
      {},
    ],
    [
      "The text is cut into tokens; BERT puts [CLS] at the start of the input and [SEP] after each sentence.",
      "chips",
      {},
    ],
    [
      "One token is masked, and BERT predicts it from its context, on the left and on the right.",
      "chips",
      {},
    ],
    [
      "Each token starts as a sum of three embeddings: the token, its position, and its segment, A or B.",
      "detail",
      {open: ["embeddings"]},
    ],
    [
      "A layer adds to each token's residual stream by attention, then by its feed-forward part, " +
        "with LayerNorm after each.",
      "stream",
      {open: layer},
    ],
    [
      "Attention has several heads; each small matrix shows which tokens attend to (look at) which.",
      "heads",
      {open: layer},
    ],
    [
      "In a head, the dot product of one token's query and another's key, " +
        "divided by the square root of the head size, is a score.",
      "scores",
      {open: head},
    ],
    ["Softmax turns the scores of each row into weights that add up to 100%.", "probs", {open: head}],
    [
      "The values, weighted and added, are the head's context: what the token takes from the others.",
      "row",
      {open: head},
    ],
    [
      "After the last layer, the vector at the masked place gives each token of the vocabulary a probability.",
      "prediction",
      {},
    ],
    [
      "The slider gives an earlier layer to the same output head (logit lens): see how the prediction takes shape.",
      "depth",
      {depth: middle},
    ],
    [
      "Here layer 1 is switched off; compare the prediction with the one before.",
      "prediction",
      {off: [layer]},
    ],
    ...(pairs
      ? [["From the vector of [CLS], BERT predicts whether sentence B follows A, if there is one.", "nsp", {}]]
      : []),
    ["Now it is your turn: type your own sentences, and click any token to mask it.", "texts", {}],
  ].map(([text, part, to]) => ({text, part, to: {open: null, depth: null, off: [], ...to}}));
}

/** The card of the tour. go(step or null): bring the picture into its state; null at the end. */
export function tourCard(steps, go) {
  const text = html("p", {class: "mb-tour-text", "aria-live": "polite"});
  const where = html("span", {class: "mb-faint"});
  const button = (name, key, press) => html("button", {type: "button", "data-key": key, click: press}, name);
  const back = button("Back", "tour back", () => show(now - 1));
  const close = button("Close", "tour close", () => end());
  const next = button("Next", "tour next", () => (now + 1 < steps.length ? show(now + 1) : end()));
  next.classList.add("mb-primary");
  const card = html(
    "div",
    {
      class: "mb-tour",
      role: "dialog",
      "aria-label": "Guided tour",
      keydown: event => {
        const press = {ArrowRight: next, ArrowLeft: back, Escape: close}[event.key];
        if (!press || press.disabled) return;
        event.preventDefault();
        event.stopPropagation();
        press.click();
      },
    },
    text,
    html("div", {class: "mb-tour-bar"}, where, back, next, close),
  );
  let now = 0;
  const show = step => {
    now = step;
    text.textContent = steps[now].text;
    where.textContent = `${now + 1} of ${steps.length}`;
    back.disabled = now === 0;
    next.textContent = now + 1 < steps.length ? "Next" : "Finish";
    next.focus({preventScroll: true});
    go(steps[now]);
  };
  const end = () => {
    card.remove();
    go(null);
  };
  return {card, start: () => show(0)};
}
