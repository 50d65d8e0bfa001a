# %% [markdown]
# # 12 · Inside BERT: what the layers know, what the heads do
#
# BERT works, but what is going on in there? Within two years of its release, over 150 papers had studied it, from its
# attention heads to its vectors. How much of what they found is true of *your* model, and how much would be found in any
# model, even in one that has learned nothing? In this lesson you will put every question to three models.
#
# **After this lesson you can**
#
# - name the patterns that heads show, and say why a large weight may do nothing,
# - find out which heads a model would miss, and which it would not,
# - measure how much a word's vector depends on its sentence, and tell word senses apart,
# - probe what a layer knows, with the controls that a probe needs,
# - tell a finding from an artefact.
#
# **You need** lessons 2, 5 and 9. **Time:** about 110 minutes with guessing, playing and writing; the code alone runs
# in about three minutes on two cores. **Difficulty:** ●●●
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(12)

# %% [markdown]
# ## The head browser
#
# Three models take part in everything that follows: the **English encoder** of earlier lessons, **the course's own** small
# model, and a model with **random weights**, of the English encoder's shape, as it is before its first training step.

# %%
import numpy as np
from minibert.course.unit12.experiments import labelled, measures, models

english = models.english()
three = {one.name: one for one in (english, models.own(), models.random_weights(english, seed=1))}
for name, one in three.items():
    print(f"{name:15s}{one.sizes[0]} layers of {one.sizes[1]} heads")

# %% [markdown]
# Each small map is one attention head: a row for each token that looks, a column for each token that is looked at.
# Click one, or walk with the arrow keys, and point at a token. *Value-weighted* and *effective* are explained in
# sections 1 and 3.

# %% jupyter={"source_hidden": true}
from minibert.course.unit12.views.head_browser import HeadBrowser

def reader(one):
    def read(sentence):
        seen = models.look(one, sentence)
        return seen.tokens, measures.attention_views(one, seen)
    return read

HeadBrowser({name: reader(one) for name, one in three.items()},
            "The keeper climbed the stairs of the lighthouse and lit the lamp.", chosen=(1, 8))

# %% [markdown]
# **Try:** this head looks at the next token. Find one that looks at the token before, and one in which all look
# at the same token. Then switch to the random weights.
#
# ## Do you remember?

# %% [markdown]
# You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("What does a head hand over to a token?", [
        Choice("The values of all tokens, weighted", True, "Right. Large weights count for little if the values are "
               "small: remember this."),
        Choice("The token with the largest weight", False, "All tokens count, each by its weight."),
        Choice("The keys of all tokens, weighted", False, "Keys only decide the weights. Values are handed over."),
    ]),
    QuizQuestion("How many attention weights does one head have for a text of 10 tokens?", [
        Choice("10", False, "Each of the 10 tokens has 10 weights."),
        Choice("100", True, "Right, and each row of 10 sums to 1."),
        Choice("As many as it has parameters", False, "Attention weights are computed anew for each text."),
    ]),
    QuizQuestion("Why is a residual connection important for this lesson?", [
        Choice("It makes training faster", False, "It does, but there is something else."),
        Choice("What enters a layer also leaves it", True, "Right: even random layers pass their input on. Keep that "
               "in mind when something is “still there” in the last layer."),
        Choice("It removes special tokens", False, "It adds a layer's input to its output, for every token."),
    ]),
])

# %% [markdown]
# ## 1 · What do heads look at?
#
# Kovaleva et al. (2019) sorted the maps of BERT's heads into five classes: **vertical** (all look at one special
# token), **diagonal** (at neighbours), both, **block** (within a token's own sentence), and **heterogeneous** (the
# rest). They did it by eye, and then by a classifier; here a fixed rule decides (`minibert.analysis.patterns.classify`).
# The English and the random model read English passages, the course's own model its generated language.

# %%
passes = {name: measures.pair_passes(one) for name, one in three.items()}
patterns = {name: measures.patterns(some) for name, some in passes.items()}         # (pairs, L, H)
simple = {name: measures.simple_heads(some) for name, some in passes.items()}

# %% [markdown]
# The first four patterns are the simple ones:

# %% jupyter={"source_hidden": true}
from minibert.analysis.patterns import CLASSES
from minibert.course.widgets.view import View, figure_html
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses
from minibert.course.unit12.views.side_by_side import (
    findings_html,
    head_map,
    lines_with_names,
    over_depth,
    pattern_map,
)

def usual(kinds):
    """The most frequent pattern of each head among the pairs, (L, H)."""
    counts = np.stack([(kinds == one).sum(axis=0) for one in CLASSES])
    return np.array(CLASSES)[counts.argmax(axis=0)]

def all_patterns():
    told = ", ".join(f"{name} {share.mean():.0%}" for name, share in simple.items())
    return pattern_map({name: usual(kinds) for name, kinds in patterns.items()},
                       f"Heads with a simple pattern: {told}")

GuessNumber("Of 100 heads of the English encoder, how many show a simple pattern?",
            lambda: 100 * simple[models.ENGLISH].mean(), within=12, form="{:.0f}", see=all_patterns)

# %% [markdown]
# Random weights attend almost equally to every token: the English encoder *learned* its patterns. (`make tour` starts the
# course's own model with heads that look at neighbours.)
#
# ### The famous [SEP]
#
# Clark et al. (2019) found that over half of BERT's attention in layers 6 to 10 goes to [SEP]. Is it so here?

# %%
targets = {name: measures.targets(some) for name, some in passes.items()}

# %% [markdown]
# [CLS], [SEP], or full stops and commas?

# %% jupyter={"source_hidden": true}
def by_target():
    kinds = list(targets[models.ENGLISH])
    shown = {f"share of attention to {kind}": {name: targets[name][kind] for name in three} for kind in kinds}
    return over_depth(shown, f"The English encoder rests at {favourite()}", limits={key: (0, 1) for key in shown})

middle = measures.middle(english.sizes[0])

def favourite():
    return max(targets[models.ENGLISH], key=lambda kind: targets[models.ENGLISH][kind][middle].mean())

GuessChoice(f"Where does the English encoder look most in its middle layers ({middle[0] + 1} to {middle[-1] + 1})?",
            list(targets[models.ENGLISH]), favourite, see=by_target)

# %% [markdown]
# <details><summary><b>Why there?</b></summary>
#
# Perhaps because it was trained further to compare sentences, one at a time, by the mean of its vectors; BERT read pairs,
# with a [SEP] between them. The *place* where heads rest is not a law of nature.
# </details>
#
# ### Does a large weight do anything?
#
# What token s moves to token t is the weight *times the value*, sent through the output projection. If the value is
# close to 0, a large weight does nothing: the head has found a way to switch itself off, a **no-op**. Kobayashi et al.
# (2020) therefore measure the norm of the whole product (*value-weighted* in the browser). **Your turn:**

# %%
from minibert.course.widgets.try_it import try_it

def share_moved(weights, norms, place):
    """Return one token's share of all that is moved (weight times norm), to 2 digits.

    weights: attention to each token; norms: of the projected values; place: which token.

    >>> share_moved([0.5, 0.5], [1.0, 3.0], 0)
    0.25
    >>> share_moved([0.9, 0.05, 0.05], [0.1, 1.0, 0.8], 0)
    0.5
    """
    ...

try_it(share_moved)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def share_moved(weights, norms, place):
#     moved = [weight * norm for weight, norm in zip(weights, norms)]
#     return round(moved[place] / sum(moved), 2)
# ```
#
# </details>
#
# In the second example, 90% of the weight moves only half. Now for all heads of the three models, with [CLS] and [SEP]
# together; and a second test, by Clark et al.: the gradient of the loss with respect to each attention weight.

# %%
moves = {name: measures.special_token_shares(one, passes[name]) for name, one in three.items()}     # (pairs, L, 2)
ratios = {name: measures.gradient_ratio(one) for name, one in three.items()}                   # (pairs, L)

def in_the_middle(values):
    """The mean of the middle layers, for each pair."""
    return values[:, measures.middle(values.shape[1])].mean(axis=1)

rests = {name: in_the_middle(both[..., 0]) for name, both in moves.items()}
acts = {name: in_the_middle(both[..., 1]) for name, both in moves.items()}

# %% [markdown]
# In the middle layers of the English encoder:

# %% jupyter={"source_hidden": true}
def weights_and_moves():
    shown = {label: {name: both[..., i].mean(axis=0) for name, both in moves.items()}
             for i, label in enumerate(("share of the weights", "share of what is moved"))}
    shown["gradient: special / other tokens"] = {name: some.mean(axis=0) for name, some in ratios.items()}
    return over_depth(shown, f"Special tokens, middle layers: {rests[models.ENGLISH].mean():.0%} of the weights, "
                      f"{acts[models.ENGLISH].mean():.0%} of what is moved",
                      limits={"share of the weights": (0, 1), "share of what is moved": (0, 1)})

GuessNumber(f"{rests[models.ENGLISH].mean():.0%} of the weights go to special tokens. What percentage of what is moved "
            "comes from them?", lambda: 100 * acts[models.ENGLISH].mean(), within=6, form="{:.0f}%",
            see=weights_and_moves)

# %% [markdown]
# ### Broad, narrow, alike
#
# Two more numbers of Clark et al.: the **entropy** of attention, here as a share of ln T (0: each token looks at one token;
# 1: at all T alike), and how far two heads are from each other (the Jensen-Shannon divergence of their rows).

# %% jupyter={"source_hidden": true}
from minibert.analysis.patterns import entropy

kin = {name: measures.between_within_ratio(some[:8]) for name, some in passes.items()}
breadth = {name: np.mean([entropy(seen.probs).mean(axis=-1) / np.log(len(seen.tokens)) for seen in some], axis=0)
           for name, some in passes.items()}
View(figure_html(*over_depth({"entropy / ln T": breadth}, "1 = every token looks at all tokens alike",
                             limits={"entropy / ln T": (0, 1.05)}))
     + "<p>Two heads of different layers are this many times as far apart as two of the same layer: "
     + ", ".join(f"{name} {value.mean():.2f}" for name, value in kin.items()) + ".</p>")

# %% [markdown]
# ### Heads that follow a relation
#
# *Mira came home. She …* Which head looks from a pronoun to the name that it means? In the generated language we know
# the answer. The best head is chosen on half of the texts and scored on the other half. Its rival is the best fixed
# distance, such as *always nine words back*: a head that does not beat it has found nothing.

# %% jupyter={"source_hidden": true}
followed = {name: labelled.coreference(one) for name, one in three.items()}
luck = int(followed[models.RANDOM].head_right.mean() > followed[models.RANDOM].offset_right.mean())
View("<ul>" + "".join(f"<li>{name}: layer {it.best[0] + 1}, head {it.best[1] + 1} finds {it.head_right.mean():.0%}, “always "
                      f"{-it.offset} words back” {it.offset_right.mean():.0%} (of {len(it.head_right)} pronouns)</li>"
                      for name, it in followed.items()) + "</ul>" + luck * (
     "<p>The best head of random weights scores above the fixed distance, too. With so few pronouns that may be luck, but it is "
     "the fairer rival.</p>"))

# %% [markdown]
# For real syntax we need real text: English-EWT (Universal Dependencies), 400 sentences with gold trees. It is not part
# of the package (`minibert download ewt` fetches it), so these numbers were made in advance, with three seeds
# (`benchmarks/inside.py`). The course's own model has seen no real English.

# %% jupyter={"source_hidden": true}
import html
from minibert.course import tables
from minibert.readers.wording import with_minus
from minibert.course.unit10.experiments import mean_and_range, verdict
from minibert.course.widgets.tables import score_table

stored = tables.stored("inside")
for name in (models.ENGLISH, models.OWN):
    if stored["weights"][name] != [models.weights_of(three[name])]:
        print(f"The stored numbers of “{name}” are not all of the copy that you have; they can differ a little.")

def mean_of(experiment, name, *keys):
    """The mean over seeds of a number of a stored run."""
    values = [run for run in stored[experiment][name]]
    for key in keys:
        values = [run[key] for run in values]
    return np.mean(values, axis=0)

kinds = [key for key in stored["relations"][models.ENGLISH][0] if key != "seed"]
gains = {kind: mean_of("relations", models.ENGLISH, kind, "right") - mean_of("relations", models.ENGLISH, kind, "offset")
         for kind in kinds}

# %% [markdown]
# The names: *det* is a determiner (*the* cat), *case* a preposition, *amod* an adjective, *advmod* an adverb, *nsubj* a
# subject, *obj* an object, *nmod:poss* an owner (*her* cat), *compound* the *sea* in *sea wall*, *aux* an auxiliary,
# *mark* a conjunction such as *that*. In which relation does the English encoder's best head beat the best fixed
# distance by most?

# %% jupyter={"source_hidden": true}
def all_relations():
    rows = [(kind, *(f"{mean_of('relations', name, kind, 'right'):.1f}" for name in three),
             f"{mean_of('relations', models.ENGLISH, kind, 'offset'):.1f}") for kind in kinds]
    best = max(gains, key=gains.get)
    return score_table(["relation", *(f"{name}: best head" for name in three), "best fixed distance"], rows,
                       f"Accuracy in %; the English head gains most in {best} ({with_minus(gains[best], '{:+.1f}')} points)")

GuessChoice("Which relation?", kinds, lambda: max(gains, key=gains.get), see=all_relations)

# %% [markdown]
# In BERT-base, single heads reached 87% for direct objects and 94% for determiners; none did well in *all* relations
# (Clark et al., section 4.2).
#
# ### What does fine-tuning change?
#
# Each model was fine-tuned for named entities. The figure shows how alike each layer's attention maps and weights are
# before and after (cosine similarity; means of three seeds). Kovaleva et al. saw the last two layers change most. Do you?

# %% jupyter={"source_hidden": true}
alike = {key: {name: mean_of("tuning", name, key) for name in three} for key in ("maps", "weights")}
most = {key: lines[models.ENGLISH].argmin() + 1 for key, lines in alike.items()}
View(figure_html(*over_depth({"attention: before / after": alike["maps"], "weights: before / after": alike["weights"]},
                             f"1 = nothing changed. Most changed in the English encoder: attention of layer {most['maps']}, "
                             f"weights of layer {most['weights']}")))

# %% [markdown]
# ## 2 · Do heads have to learn at all?
#
# Many heads look at a fixed place. Raganato et al. (2020) fixed all but one head of each encoder
# layer of a translation model: *current token, previous, next, everything left of it, everything right*, and the like.
# Translation stayed as good, and with little training data it improved by up to 3 BLEU (their abstract).
#
# We trained a new small model, with five heads a layer, from scratch in three versions: all heads learned; one learned,
# four fixed; all fixed. Which one predicts the fewest masked tokens right?

# %% jupyter={"source_hidden": true}
steps = stored["fixed"]["all learned"][0]["steps"]
fixed = {way: np.array([run["words"] for run in runs]) for way, runs in stored["fixed"].items()}     # (seeds, steps)
last = {way: runs[:, -1].tolist() for way, runs in fixed.items()}

def fixed_heads():
    drawing = lines_with_names(steps, {way: runs.mean(axis=0) for way, runs in fixed.items()}, "training steps",
                               "masked tokens, % right", f"At the end, {verdict('one learned', 'all learned', last)}", fixed)
    early = {way: runs[:, 1].mean() for way, runs in fixed.items()}
    why = "<p>Learned heads must first find out where to look; after much longer training they may overtake.</p>"
    return (f"{figure_html(*drawing)}<p>And {verdict('all fixed', 'one learned', last)}. After {steps[1]} steps: "
            + ", ".join(f"{way} {value:.0f}%" for way, value in early.items()) + ".</p>" + (worst() == "all learned") * why)

def worst():
    return min(last, key=lambda way: np.mean(last[way]))

GuessChoice(f"Which is worst after {steps[-1]:,} steps (mean of three seeds)?", list(fixed), worst, see=fixed_heads)

# %% [markdown]
# ## 3 · Can attention be read at all?
#
# A head multiplies its weights A (T × T) with its values V (T × K). If T is larger than K, there are directions x with
# x V = 0: the **null space** of the values. Add one of them to a row of A, and the head's output is the same! Two
# different maps, one result: the weights are **not identifiable** (Brunner et al., 2020). **Your turn:** how many
# dimensions has this space at least? (The rank of V is at most the smaller of its two sides.)

# %%
def null_directions(tokens, head_size):
    """Return the smallest possible dimension of the null space.

    >>> null_directions(100, 64)
    36
    >>> null_directions(20, 64)
    0
    """
    ...

try_it(null_directions)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def null_directions(tokens, head_size):
#     return max(0, tokens - head_size)
# ```
#
# </details>
#
# **Effective attention** is A without its part in the null space. How similar are the two as the text grows?

# %%
LENGTHS = (16, 32, 48, 64, 96)
similar = {name: measures.effective_by_length(one, LENGTHS) for name, one in three.items()}     # (texts, lengths)
head_size, = {one.encoder.config.head_size for one in three.values()}      # K, the same in all three

# %% [markdown]
# Up to what length is the correlation of raw and effective attention exactly 1?

# %% jupyter={"source_hidden": true}
from minibert.analysis.identifiability import null_dimension

def over_length():
    drawing = lines_with_names(LENGTHS, {name: some.mean(axis=0) for name, some in similar.items()}, "tokens",
                               "correlation of raw and effective", f"They part above K = {head_size} tokens, in every model",
                               marks={f"K = {head_size}": head_size})
    seen = models.look(english, measures.long_texts(english, 1)[0])
    lost = null_dimension(seen.values[0]).min()
    return (f"{figure_html(*drawing)}<p>With {len(seen.tokens)} tokens, the null space of the English encoder's first layer has "
            f"{lost} directions; T − K is {len(seen.tokens) - head_size}. Random weights show it, too: it follows from the sizes "
            "of two matrices, and says nothing about what was learned. Taken for a finding about BERT, it is "
            "an <b>artefact</b>.</p>")

GuessNumber(f"Up to how many tokens? (The English encoder splits {english.encoder.config.hidden_size} numbers among "
            f"{english.sizes[1]} heads.)", lambda: head_size, within=0, see=over_length)

# %% [markdown]
# <details><summary><b>Does it matter for BERT?</b></summary>
#
# BERT-base has K = 64, and many studied sentences are shorter. But paragraphs are not. Whether the projected weights are
# a better explanation is disputed: they need not sum to 1, and can be negative. (In the browser, type more than K tokens
# and choose *effective*: dashed arcs are negative.)
# </details>
#
# ### Which token is this?
#
# After all this mixing, can you still tell which token a vector began as? We learn a linear map from the last layer
# back to the embeddings, and ask, on new sentences, whether the nearest embedding in the sentence is the right one.

# %%
tokens = {name: measures.all_tokens(one) for name, one in three.items()}        # vectors, ids, sentences
identity = {name: measures.identifiable_share(layers, sentence) for name, (layers, _, sentence) in tokens.items()}

# %% [markdown]
# Guess for each model:

# %% jupyter={"source_hidden": true}
GuessBars("How many tokens are recognised in the last layer?", list(three),
          lambda: [100 * identity[name].mean() for name in three], top=100, within=10, axis="recognised", unit="%",
          see=lambda: "<p>Nobody taught the random model to keep tokens apart. Its residual connections do it.</p>")

# %% [markdown]
# And *what* went into a vector? **Hidden token attribution** takes the gradient of a hidden state with respect to each input
# embedding; its norm, as a share of the total, is what that token contributes.

# %%
gradients = {name: measures.jacobians(one, one.sizes[0]) for name, one in three.items()}
by_distance = {name: measures.contributions(some) for name, some in gradients.items()}

# %% [markdown]
# Contributions by distance, in the last layer:

# %% jupyter={"source_hidden": true}
View(figure_html(*lines_with_names(range(9), {name: 100 * some for name, some in by_distance.items()},
                                   "distance in tokens (0 = the token itself)", "contribution, %",
                                   "Last layer: what a token's vector is made of"))
     + "<p>The token itself contributes " + ", ".join(f"{some[0]:.0%} ({name})" for name, some in by_distance.items())
     + ". A neighbour contributes this many times as much as a token five or more places away: "
     + ", ".join(f"{measures.near_over_far(gradients[name]).mean():.1f} ({name})" for name in three) + ".</p>")

# %% [markdown]
# ## 4 · Which heads would be missed?
#
# Michel et al. (2019) removed heads of trained models, one at a time. We mask words, and measure the loss without each
# head.

# %%
missed = {name: measures.without_each_head(one) for name, one in three.items()}     # all heads (N,), without (L, H, N)
changes = {name: (without - whole).mean(axis=-1) for name, (whole, without) in missed.items()}
calm = {name: (np.abs(change) < 0.05).sum() for name, change in changes.items()}

# %% [markdown]
# For how many of the English encoder's 72 heads does the loss change by less than 0.05?

# %% jupyter={"source_hidden": true}
from minibert.analysis.heads import significant_differences, paired_difference

def each_head():
    told, clear = [], {}
    for name, (whole, without) in missed.items():
        p = np.array([[paired_difference(whole, head)[1] for head in layer] for layer in without])
        clear[name] = significant_differences(p).sum()
        told.append(f"{name} {clear[name]} of {p.size} heads (p < 0.05 alone: {(p < 0.05).sum()})")
    drawing = head_map(changes, "Change of the loss when a head is removed (red: it is missed)", "change of the loss")
    better = (changes[models.ENGLISH] < 0).sum()
    return (f"{figure_html(*drawing)}<p>Clear differences by Holm's rule, which corrects for many tests: {', '.join(told)}. For {better} "
            f"English heads, removal even lowers the loss a little. With random weights it changes, clearly or not, by "
            f"{np.abs(changes[models.RANDOM]).max():.3f} at most: there is nothing to lose. So “heads can be removed” alone "
            f"says nothing about what was learned. (More than {len(missed[models.ENGLISH][0])} sentences would show "
            "more.)</p>")

GuessNumber(f"How many of its {changes[models.ENGLISH].size} heads are hardly missed?", lambda: calm[models.ENGLISH], within=8, see=each_head)

# %% [markdown]
# In Michel et al.'s translation model, only 8 of 96 encoder heads made a significant difference, and half of those for
# the better. But *not missed alone* does not mean *useless*: others may step in. With one head left in the last layer of
# attention to the source sentence, the same model lost 13.56 BLEU, more than a third of its score.
#
# Is one head enough, then? We left one in a layer, and the other layers whole, and counted the masked tokens that are
# predicted right (stored; three draws of sentences and masks, taken together). Each difference has the p of McNemar's test
# (lesson 13), which counts only tokens that changed sides, corrected by Holm's rule. In how many of the English encoder's
# six layers is the best one alone not clearly worse (p < 0.05) than all twelve?

# %% jupyter={"source_hidden": true}
from minibert.course.unit12.experiments.findings import MICHEL
from minibert.analysis.significance import holm

def left_alone(name):
    """Change of the right answers in points and its corrected p, for each head that is left alone, (L, H) each."""
    runs = stored["alone"][name]
    won, lost = (np.sum([run[key] for run in runs], axis=0) for key in ("won", "lost"))
    p = [paired_difference(np.repeat([True, False], both), np.repeat([False, True], both))[1] for both in zip(lost, won)]
    points = 100 * (won - lost) / sum(run["tokens"] for run in runs)
    return points.reshape(-1, runs[0]["heads"]), holm(p).reshape(-1, runs[0]["heads"])

points, corrected = zip(*map(left_alone, three))

def p_text(p):
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"

def enough():
    return sum(p[change.argmax()] >= 0.05 for change, p in zip(points[0], corrected[0]))

def one_head_left():
    def cell(m, layer, which):
        head = which(points[m][layer]) if layer < len(points[m]) else None
        return "" if head is None else f"{with_minus(points[m][layer][head], '{:+.1f}')} ({p_text(corrected[m][layer][head])})"
    told = [f"{name}: {sum(run['right'] for run in stored['alone'][name])} of {sum(run['tokens'] for run in stored['alone'][name])}"
            for name in three]
    nothing = not any(run["right"] for run in stored["alone"][models.RANDOM])
    some = list(three)[:3 - nothing]
    ours = score_table(["one head left in", *(f"{name}: {which}" for name in some for which in ("best", "worst"))], [
        (f"layer {layer + 1}", *(cell(m, layer, which) for m in range(len(some)) for which in (np.argmax, np.argmin))) for layer in range(6)],
        f"Change of right answers in points. With all heads, right are: {'; '.join(told)}{', which leaves nothing to lose' * nothing}")
    flattered = ("<p>Not clearly worse is not equal: the tokens are few, and choosing the best head on them flatters it. "
                 "(Michel et al. chose it on other data.)</p>")
    theirs = score_table(["the best head left in", "BERT on MNLI: accuracy", "translation: encoder, BLEU", "decoder to source", "decoder"], [
        (f"layer {layer + 1}", *(with_minus(one[layer], "{:+.2f}") if layer < len(one) else "" for one in MICHEL.values()))
        for layer in range(12)], "Michel et al., tables 2 and 3 (BERT: none significant)")
    every = "".join(score_table([name, *(f"layer {layer + 1}" for layer in range(len(points[m])))], [
        (f"head {h + 1}", *(f"{with_minus(change, '{:+.1f}')} ({p_text(p)})" for change, p in zip(points[m][:, h], corrected[m][:, h])))
        for h in range(points[m].shape[1])]) for m, name in enumerate(some))
    return f"{ours}<details><summary>Each head</summary>{every}</details>{flattered}{theirs}"

GuessNumber("In how many layers is one head enough?", enough, within=0, see=one_head_left)

# %% [markdown]
# Now remove more and more. Which heads first? **Gradient importance** asks the loss how it would change if a head were
# turned down a little; the **oracle** really removes each head that is left, and looks. How well do two thirds of the heads
# do, chosen by the gradient?

# %% jupyter={"source_hidden": true}
runs = stored["pruning"][models.ENGLISH]
left = 100 * np.array(runs[0]["left"])
curves = {way: np.array([np.array(run[way]) - run[way][0] for run in runs]) for way in ("gradient", "oracle", "random")}
third = int(np.argmin(np.abs(left - 67)))

def pruning_curves():
    drawing = lines_with_names(100 - left, {way: some.mean(axis=0) for way, some in curves.items()}, "heads removed, %",
                               "growth of the loss", "The English encoder loses its heads (bands: three seeds)", curves)
    agree = ", ".join(f"{name} {with_minus(np.mean([run['agreement'] for run in stored['pruning'][name]]), '{:.2f}')}"
                      for name in three)
    return (f"{figure_html(*drawing)}<p>Rank correlation of gradient importance with the change when a head is removed: "
            f"{agree}. (Ranks of changes near 0 are mostly luck.)</p>")

GuessNumber(f"With all heads the loss is {np.mean([run['gradient'][0] for run in runs]):.2f}, with none it grows by "
            f"{curves['gradient'][:, -1].mean():.2f}. By how much does it grow with two thirds of them?",
            lambda: curves["gradient"][:, third].mean(), within=0.2, form="{:.2f}", see=pruning_curves)

# %% [markdown]
# ## 5 · How much context is in a vector?
#
# A static embedding gives *bank* one vector. How many does BERT give it? **Self-similarity** is the mean cosine of a
# word's vectors in different sentences (Ethayarajh, 2019). But in many models *any* two vectors are similar: they lie in a
# narrow cone, which is called **anisotropy**. So the mean cosine of any two words is subtracted.

# %%
cones = {name: measures.cone(layers, sentence) for name, (layers, _, sentence) in tokens.items()}      # (parts, L + 1)
selves = {name: measures.word_similarity(layers, ids) for name, (layers, ids, _) in tokens.items()}    # (words, L + 1)

# %% [markdown]
# Self-similarity above the baseline, in the last layer: one vector for each word, and no cone, would give 1.

# %% jupyter={"source_hidden": true}
def both_measures():
    return over_depth({"anisotropy (the baseline)": {name: some.mean(axis=0) for name, some in cones.items()},
                       "self-similarity above it": {name: some.mean(axis=0) for name, some in selves.items()}},
                      "Depth 0: the embeddings, which also know the position", embeddings=True)

GuessBars("How self-similar are words in the last layer?", list(three), lambda: [selves[name].mean(axis=0)[-1] for name in three],
          top=1, within=0.12, axis="self-similarity", see=both_measures)

# %% [markdown]
# Random weights have a cone, too: every token gets the same segment vector, and from uniform attention the same mean. So
# look at the *change* with depth, and compare it with theirs.
#
# <details><summary><b>Why is the maximum explainable variance another question?</b></summary>
#
# It asks how well *one* vector could replace all vectors of a word: the share of the first squared singular value.
# Ethayarajh reports less than 5% on average in every layer. But his code (`kawine/contextual`) takes it from a PCA, which
# first subtracts the mean, the very vector that could replace the others. We subtract no mean, and find more. See the
# table at the end: two numbers of one name need not be one measure.
# </details>
#
# ### Are the words of a sentence alike?
#
# **Intra-sentence similarity** is the mean cosine of a word's vector with the mean vector of its sentence, again above the
# baseline. In BERT, Ethayarajh found, the words of a sentence are more alike than any two words.

# %%
within = {name: measures.sentence_similarity(layers, sentence) for name, (layers, _, sentence) in tokens.items()}

# %% [markdown]
# How much more alike are they in the last layer?

# %% jupyter={"source_hidden": true}
def words_of_a_sentence():
    words = np.mean([np.unique(sentence, return_counts=True)[1].mean() for _, _, sentence in tokens.values()])
    drawing = over_depth({"intra-sentence similarity above the baseline": {name: some.mean(axis=0) for name, some in within.items()}},
                         "Words of a sentence beside any two words", embeddings=True)
    return (f"{figure_html(*drawing)}<p>The mean of a sentence holds the word itself. So even among {words:.0f} unrelated vectors, each "
            f"has a cosine of about 1/√{words:.0f} = {words ** -0.5:.2f} with their mean. Compare with the random weights, not with 0.</p>")

GuessBars("How similar are the words of a sentence?", list(three), lambda: [within[name].mean(axis=0)[-1] for name in three],
          top=1, within=0.12, axis="similarity", see=words_of_a_sentence)

# %% [markdown]
# Which words depend most on their sentence? And lesson 9's three models, side by side:

# %% jupyter={"source_hidden": true}
from minibert.analysis.contextuality import anisotropy, most_contextual

layers, ids, _ = tokens[models.ENGLISH]
ranked = [(value, english.tokenizer.vocab[word]) for word, value in most_contextual(layers[-1], ids, measures.ENOUGH)]

def of_twin(name):
    vectors, own, _ = models.twin_vectors(name, 20)
    similar = measures.word_similarity(vectors, own).mean(axis=0)
    return similar[0], similar[-1], anisotropy(vectors[0]), anisotropy(vectors[-1])

twins = {name: of_twin(name) for name in ("ELMo", "GPT", "BERT")}
View("<p>English encoder, last layer. Most context-specific: "
     + ", ".join(f"{html.escape(word)} ({value:.2f})" for value, word in ranked[:6]) + ". Least: "
     + ", ".join(f"{html.escape(word)} ({value:.2f})" for value, word in ranked[-6:]) + ".</p>"
     + score_table(["", "self-similarity: embeddings", "last layer", "anisotropy: embeddings", "last layer"],
                   [(name, *(f"{value:.2f}" for value in it)) for name, it in twins.items()],
                   "Lesson 9's models on lives of the generated language"))

# %% [markdown]
# In Ethayarajh's study, *the, of, to* were among the most context-specific words: many contexts count more than many senses.
#
# ## 6 · Does it know which *bank*?
#
# Give each use of an ambiguous word the sense of its **nearest neighbour** among labelled uses: no training, k = 1
# (Wiedemann et al., 2019). A word is its last four layers side by side (**concatenated**). The baseline, *always the most
# frequent sense*, is hard to beat in real text. In the generated language, no test sentence is worded like a labelled one.

# %%
labelled_uses = {name: labelled.used(one, "train") for name, one in three.items()}
new_uses = {name: labelled.used(one, "test") for name, one in three.items()}
senses = {name: labelled.senses_right(labelled_uses[name], new_uses[name]) for name in three}

# %% [markdown]
# How often is the nearest neighbour right?

# %% jupyter={"source_hidden": true}
def real_senses():
    pairs = 184                                                     # of WiC-TSV's dev set
    rows = [(name, mean_and_range([run["semcor"] for run in stored["senses"][name]]),
             mean_and_range([run["semcor, frequent"] for run in stored["senses"][name]]),
             mean_and_range([run["wic"] for run in stored["senses"][name]]), f"{stored['senses'][name][0]['wic, always yes']:.1f}")
            for name in three]
    return score_table(["", "SemCor: nearest use", "most frequent sense", "WiC-TSV: cosine", "always yes"], rows, "Real text "
                       "(stored), accuracy in %: two SemCor files, sentences that fit the model; WiC-TSV: does a definition fit? "
                       f"({pairs} pairs: {100 / pairs ** 0.5:.0f} points may be luck)")

GuessBars(f"The most frequent sense is right in {100 * senses[models.ENGLISH][1].mean():.0f}%. How often is the nearest "
          "neighbour right?", list(three), lambda: [100 * senses[name][0].mean() for name in three],
          top=100, within=10, axis="right", unit="%", see=real_senses)

# %% [markdown]
# See it for one word. Each point is a sentence; point at it. **PCA** keeps the directions in which the vectors differ
# most, **t-SNE** keeps neighbours together (its distances *between* groups mean nothing).

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from IPython.display import display
from minibert.analysis.senses import project_to_plane, last_layers
from minibert.course.widgets.view import Controls
from minibert.course.unit12.views.hover_scatter import HoverScatter

def uses_of(word):
    return {name: labelled.used(one, "train", 40, word) for name, one in three.items()}

class Planes(widgets.VBox):
    """Choose a word and a method; the points of the three models."""

    def __init__(self, words):
        self.word = widgets.Dropdown(options=words, description="Word")
        self.method = widgets.ToggleButtons(options=["PCA", "t-SNE"], description="Method")
        self.kept = {}
        super().__init__([self.word, self.method])
        for control in (self.word, self.method):
            control.observe(self.draw, "value")
        self.draw()

    def draw(self, _=None):
        uses = self.kept.setdefault(self.word.value, None) or uses_of(self.word.value)
        self.kept[self.word.value] = uses
        first = next(iter(uses.values()))
        places = {f"{name}, {self.method.value}": project_to_plane(last_layers(it.vectors[1:], min(4, len(it.vectors) - 1)),
                                     {"PCA": "pca", "t-SNE": "tsne"}[self.method.value]) for name, it in uses.items()}
        self.children = [self.word, self.method, HoverScatter(places, first.senses.tolist(), first.sentences)]

Planes(["bank", "bat", "crane", "spring"])

# %% [markdown]
# ## 7 · What can be read from a layer?
#
# A **probe** is a small classifier on frozen vectors. If it finds part-of-speech tags, the vectors hold them. Or does it
# only learn words by heart? Hewitt and Liang (2019) give each *word* a random label, the same wherever it occurs: the
# **control task**. It can only be learned by heart. Accuracy minus control accuracy is the probe's **selectivity**.

# %%
probed = {name: labelled.probed(one) for name, one in three.items()}
tags = {name: labelled.tag_scores(it) for name, it in probed.items()}           # (folds, L + 1, 3)
depth = {name: labelled.depth_scores(it) for name, it in probed.items()}        # (folds, L + 1)

# %% [markdown]
# First the random weights: what percentage of the tags does a linear probe of their last layer get right?

# %% jupyter={"source_hidden": true}
def all_probes():
    shown = {label: {name: 100 * some.mean(axis=0)[:, i] for name, some in tags.items()}
             for i, label in ((0, "tags, % right"), (1, "control task, % right"))}
    shown["clause depth: rank correlation"] = {name: some.mean(axis=0) for name, some in depth.items()}
    drawing = over_depth(shown, "Random weights have the word, and the word nearly tells the tag", embeddings=True)
    told = "; ".join(f"{name} {some[0, 1]:.0%} → {some[-1, 1]:.0%}, clause depth {depth[name].mean(axis=0).max():.2f} at best"
                     for name, some in ((name, some.mean(axis=0)) for name, some in tags.items()))
    return f"{figure_html(*drawing)}<p>Control task from the embeddings to the last layer: {told}.</p>"

GuessNumber("What percentage of tags does the probe find in random weights?",
            lambda: 100 * tags[models.RANDOM].mean(axis=0)[-1, 0], within=5, form="{:.0f}%", see=all_probes)

# %% [markdown]
# Accuracy alone settles nothing. Look for two other things: does the control task get *harder* with depth, while the tags
# stay? And is the depth of a word's clause read better than from random weights?
#
# ### Four tasks on real text
#
# The same on EWT and wikigold, with three seeds, for four tasks. Tags, as above. **Chunks** are base noun phrases here, such
# as *the old clock*: does a word begin one, continue it, or neither? The role of a noun: subject, object and so on. The type
# of a named entity: person, place and so on. For which task is training worth most: the English encoder's best layer, minus
# that of the random weights?

# %% jupyter={"source_hidden": true}
TASKS = {"tags": "tags", "chunks": "chunks", "roles": "roles", "entity types": "entities"}
best = {label: {name: mean_of("probes", name, key).max() for name in three} for label, key in TASKS.items()}
worth = {label: found[models.ENGLISH] - found[models.RANDOM] for label, found in best.items()}

def four_tasks():
    selective = {f"{label}: selectivity": {name: mean_of("probes", name, key) - mean_of("probes", name, f"{key}, control")
                                           for name in three} for label, key in TASKS.items()}
    rows = [(label, *(f"{mean_of('probes', name, key)[0]:.0f} → {mean_of('probes', name, key).max():.0f} "
                      f"({mean_of('probes', name, f'{key}, control')[mean_of('probes', name, key).argmax()]:.0f})" for name in three))
            for label, key in {**TASKS, "names of the generated language": "names"}.items()]
    layers = len(mean_of("probes", models.OWN, "tags")) - 1
    other = f". The course's own model is here a copy of {layers} layers" * (layers != three[models.OWN].sizes[0])
    table = score_table(["% right", *three], rows, "Embeddings → best layer (control task there); choosing it on the scored words flatters "
                        f"all three{other}")
    return f"{table}{figure_html(*over_depth(selective, 'Accuracy minus control accuracy, in points', embeddings=True))}"

GuessChoice("Which task?", list(TASKS), lambda: max(worth, key=worth.get), see=four_tasks)

# %% [markdown]
# ### Is there a tree in it?
#
# A **structural probe** (Hewitt and Manning, 2019) learns a linear map after which the squared distance of two words is
# their distance in the dependency tree. The **UUAS** (undirected unlabelled attachment score) is the share of true edges in
# the shortest tree that connects all words. Its rival simply connects neighbours. (The generated language has clauses, but
# no trees; all three models read EWT.)

# %% jupyter={"source_hidden": true}
chain = np.mean(mean_of("probes", models.ENGLISH, "chain"))

def found_trees():
    edges = {name: mean_of("probes", name, "edges") for name in three}
    told = ", ".join(f"{name} {some.max():.0f}% ({f'layer {some.argmax()}' if some.argmax() else 'embeddings'})"
                     for name, some in edges.items())
    drawing = over_depth({"UUAS, %": edges,
                          "tree depth: rank correlation": {name: mean_of("probes", name, "depth") for name in three}},
                         f"UUAS at best: {told}; neighbours {chain:.0f}%", embeddings=True)
    return figure_html(*drawing)

GuessNumber(f"Neighbours are right in {chain:.0f}%. What does the English encoder's best layer reach?",
            lambda: mean_of("probes", models.ENGLISH, "edges").max(), within=5, form="{:.0f}%", see=found_trees)

# %% [markdown]
# Another way to ask needs no probe: compare words for one [MASK]. Ettinger's (2020) tests of semantic roles are of this
# kind. One tips a waiter, perhaps a chef, hardly a robin. Does the English encoder think so, too? And in *After dinner she
# paid and tipped the [MASK].*?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.compared import with_bert_base

def preferences(text, words):
    rows = []
    for name, one in with_bert_base(three).items():
        probs = models.mask_probs(one, text, words.split())
        rows.append((name, *("–" if p is None else f"{p:.3%}" for p in probs.values())))
    return score_table(["", *words.split()], rows, "Probability for [MASK]; –: not a single token of this model")

Controls(preferences, text=widgets.Text("She gave the [MASK] a generous tip for the good dinner.", description="Sentence",
                                        continuous_update=False, layout={"width": "620px", "max_width": "98%"}),
         words=widgets.Text("waiter chef robin", description="Words", continuous_update=False))

# %% [markdown]
# ## 8 · Encoded does not mean used
#
# That a probe *can* read something does not mean that the model *does*. And is attention an explanation? Jain and
# Wallace (2019, *Attention is not Explanation*) found, in LSTMs, other weights with nearly the same output; Wiegreffe and
# Pinter (2019, *Attention is not not Explanation*) answered that this depends on what an explanation should do. Section
# 3 and the no-ops show why a map alone should not convince you.
#
# A stronger question is an **intervention**: remove the information, and see what the model can no longer do. **Amnesic
# probing** (Elazar et al., 2021) removes the directions that a linear probe reads. We remove part-of-speech tags from the
# last layer, and for comparison as many random directions:

# %%
removed = {name: labelled.loss_without_tags(one, probed[name]) for name, one in three.items()}

# %% [markdown]
# Which removal makes the English encoder's loss larger?

# %% jupyter={"source_hidden": true}
WITHOUT = ["without tags", "without as many random directions"]

def removals():
    rows = [(name, *(f"{value.mean():.2f}" for value in it.values())) for name, it in removed.items()]
    return score_table(["loss of masked words", "nothing removed", *WITHOUT], rows,
                       "A loss that grows more than at random: the model used what is gone")

GuessChoice("Which one?", WITHOUT, lambda: max(WITHOUT, key=lambda name: removed[models.ENGLISH][name].mean()), see=removals)

# %% [markdown]
# ## 9 · The map
#
# Rogers, Kovaleva and Rumshisky's *Primer in BERTology* (2020) is the guide to this literature:
#
# | area | what is reported (their sections 3, 4 and 6) |
# |---|---|
# | syntax | tags, chunks and roles can be probed; trees can be recovered from vectors; clearest in the middle layers; yet BERT is hardly disturbed by shuffled words |
# | semantics | roles, entity types and relations; numbers are represented badly |
# | world knowledge | some facts can be asked for with a [MASK]; it hardly reasons with them |
# | layers | words and positions low, syntax in the middle, the last ones most specific to the task |
# | heads | many alike, few indispensable |
#
# ## 10 · What carried over?
#
# Each claim becomes a number with a plain limit, such as 0, 1 or one half
# (`minibert.course.unit12.experiments.findings.CLAIMS`). A model shows the claim if its whole interval lies on the right side of the limit. The
# interval is a **bootstrap**: draw the sentences (or words) anew, with replacement, 500 times, and keep the central 90%.
# Stored results (not SemCor) go from their lowest seed to their highest; others know one draw of random weights. **Your turn:**

# %%
def shown(low, high, limit):
    """Return "yes" if the interval is above the limit, "no" if it is below, else "unclear".

    >>> shown(0.55, 0.61, 0.5)
    'yes'
    >>> shown(0.38, 0.44, 0.5)
    'no'
    >>> shown(0.47, 0.56, 0.5)
    'unclear'
    """
    ...

try_it(shown)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def shown(low, high, limit):
#     return "yes" if low > limit else "no" if high < limit else "unclear"
# ```
#
# </details>
#
# A claim *carried over* if the English encoder shows it and random weights do not, or unclearly. If all three show it, it is
# an **artefact**: it comes from the architecture or from the measure, not from learning. And it is *partly* an artefact if
# random weights show it, but the English encoder's whole interval lies beyond theirs.

# %% jupyter={"source_hidden": true}
from minibert.course.unit12.experiments.findings import CLAIMS, interval, of_seeds, row

def each(make):
    """An Interval for each model: of units that are drawn anew."""
    return [interval(make(name), np.random.default_rng(0)) for name in three]

def seeds(experiment, make):
    """An Interval for each model: over the seeds of a stored experiment."""
    return [of_seeds([make(run) for run in stored[experiment][name]]) for name in three]

def heads_left(name):
    whole, without = missed[name]
    return interval((without - whole).reshape(-1, len(whole)).T, np.random.default_rng(0), measures.share_removable)

def depth_gain(run):
    inner = np.array(run["depth"])[1:]
    return inner[measures.middle(len(inner))].mean() - (inner[0] + inner[-1]) / 2

evidence = {
    "patterns": each(simple.get), "sep": each(lambda name: measures.sep_share(passes[name])),
    "no-op": each(lambda name: acts[name] / rests[name]), "gradient": each(lambda name: in_the_middle(ratios[name])),
    "broad": each(lambda name: measures.entropy_drop(passes[name])), "kin": each(kin.get),
    "coreference": each(lambda name: followed[name].head_right.astype(float) - followed[name].offset_right),
    "relations": seeds("relations", lambda run: np.mean([run[kind]["right"] - run[kind]["offset"] for kind in kinds]) / 100),
    "tuning": seeds("tuning", lambda run: np.mean(run["maps"][:-2]) - np.mean(run["maps"][-2:])),
    "effective": each(lambda name: similar[name][:, 0] - similar[name][:, -1]), "identity": each(identity.get),
    "mixing": each(lambda name: measures.own_share(gradients[name])),
    "local": each(lambda name: measures.near_over_far(gradients[name])),
    "redundant": [heads_left(name) for name in three],
    "prune": seeds("pruning", lambda run: run["gradient"][int(np.argmin(np.abs(np.array(run["left"]) - 2 / 3)))] / run["gradient"][0]),
    "agreement": seeds("pruning", lambda run: run["agreement"]),
    "cone": each(lambda name: cones[name][:, -1] - cones[name][:, 0]),
    "context": each(lambda name: selves[name][:, 0] - selves[name][:, -1]),
    "sentence": each(lambda name: within[name][:, -1]), "apart": each(lambda name: within[name][:, 0] - within[name][:, -1]),
    "variance": each(lambda name: measures.word_variance(tokens[name][0][-1], tokens[name][1])),
    "senses": each(lambda name: senses[name][0].astype(float) - senses[name][1]),
    "semcor": each(lambda name: np.array(stored["senses"][name][0]["semcor, gain"], float)),
    "tags": each(lambda name: tags[name][:, 1:, 0].max(axis=1) - tags[name][:, 0, 0]), "middle": seeds("probes", depth_gain),
    **{key: seeds("probes", lambda run, key=key: (max(run[key][1:]) - run[key][0]) / 100) for key in ("chunks", "roles", "entities")},
    "trees": seeds("probes", lambda run: (max(run["edges"]) - run["chain"][0]) / 100),
    "used": each(lambda name: removed[name]["without tags"] - removed[name]["without as many random directions"])}
rows = [row(CLAIMS[key], spreads) for key, spreads in evidence.items()]
verdicts = [line[-1] for line in rows]

# %% [markdown]
# How many of the claims carried over?

# %% jupyter={"source_hidden": true}
def all_findings():
    counts = {kind: verdicts.count(kind) for kind in sorted(set(verdicts))}
    said = "; ".join(f"{count} × “{kind}”" for kind, count in counts.items())
    return findings_html(["claim", "as a number", *three, "carried over?"], rows, f"✓ shown, ✗ not shown, ? unclear. {said}.")

GuessNumber(f"Of {len(rows)} claims, how many carried over (“yes …”)?", lambda: sum(one.startswith("yes") for one in verdicts), within=2,
            see=all_findings)

# %% [markdown]
# Where a claim failed, ask what is different: the model's size, its training, the text, or the number that stands for the
# claim. Each *best layer* was chosen on the words that score it, which lifts random weights, too.
#
# ## Check yourself
#
# Try the wrong choices, too: each is explained.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("A head gives [SEP] 90% of its weights. What follows?", [
        Choice("[SEP] is important for this head", False, "Perhaps the head does nothing: look at the values."),
        Choice("Nothing yet", True, "Right. If [SEP]'s value is small, the head is switched off."),
        Choice("The head can be removed", False, "Remove it and look. Weights alone do not tell."),
    ]),
    QuizQuestion("A probe finds 97% of the tags in layer 4. What do you ask first?", [
        Choice("What it finds with 12 layers", False, "There is something more urgent."),
        Choice("What it finds in random weights, and in a control task", True, "Right. Both may be close to 97%."),
        Choice("Whether the model uses them", False, "A good question, but it comes second."),
    ]),
    QuizQuestion("Two random words have the cosine 0.6 in the last layer; two uses of “bank” 0.7. How self-similar is it?", [
        Choice("0.7", False, "Any two words have 0.6 here. That has to be subtracted."),
        Choice("0.1 above the baseline", True, "Right. The cone accounts for the rest."),
        Choice("0.7 / 0.6", False, "The baseline is subtracted, not divided by."),
    ]),
    QuizQuestion("In a text of 20 tokens and with K = 64, how does effective attention differ from raw attention?", [
        Choice("Not at all", True, "Right, if the 20 values are linearly independent: then there is no null space."),
        Choice("By 44 directions", False, "The null space has T − rank directions, here 20 − 20."),
        Choice("It has no special tokens", False, "Effective attention treats all tokens alike."),
    ]),
    QuizQuestion("No single head is missed. Can all be removed?", [
        Choice("Yes", False, "Others stand in for each, as long as they are there."),
        Choice("No: others may have stepped in", True, "Right. That is why pruning asks again after each step."),
        Choice("Only in the last layer", False, "It depends on the model: look at the curve."),
    ]),
    QuizQuestion("The English, the small and the random model show a finding alike. What is it?", [
        Choice("A law of language models", False, "Random weights are no language model."),
        Choice("An artefact of architecture or measure", True, "Right: nothing was learned in the third."),
        Choice("A proof that training is useless", False, "It says nothing about training."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - Most English heads show simple patterns. A large weight on a small value is a **no-op**; where heads rest differs from model to model.
# - Attention weights are **not identifiable** in texts longer than K; **effective attention** is the part that reaches the output.
# - Most English heads are not missed one at a time. Removing many needs a good order, and a curve.
# - **Self-similarity** needs its baseline, a **probe** its control task, and both need random weights beside them.
# - Encoded does not mean used: an intervention asks the stronger question.
# - Three models, a limit set in advance, and an interval separate a finding from an **artefact**.
#
# ## Read on
#
# | paper | look for |
# |---|---|
# | Rogers et al. (2020): [A primer in BERTology](https://arxiv.org/abs/2002.12327) | sections 3, 4 and 6: the map |
# | Kovaleva et al. (2019): [Revealing the dark secrets of BERT](https://arxiv.org/abs/1908.08593) | five patterns; disabling heads |
# | Clark et al. (2019): [What does BERT look at?](https://arxiv.org/abs/1906.04341) | sections 3 and 4: no-op heads, syntax |
# | Kobayashi et al. (2020): [Attention is not only a weight](https://arxiv.org/abs/2004.10102) | section 4: norms in BERT |
# | Raganato et al. (2020): [Fixed encoder self-attention patterns](https://arxiv.org/abs/2002.10260) | heads without learning |
# | Brunner et al. (2020): [On identifiability in Transformers](https://arxiv.org/abs/1908.04211) | sections 3 to 5 |
# | Michel et al. (2019): [Are sixteen heads really better than one?](https://arxiv.org/abs/1905.10650) | sections 3 and 4 |
# | Ethayarajh (2019): [How contextual are contextualized word representations?](https://arxiv.org/abs/1909.00512) | section 4 |
# | Wiedemann et al. (2019): [Does BERT make any sense?](https://arxiv.org/abs/1909.10430) | nearest neighbours |
# | Hewitt and Liang (2019): [Designing and interpreting probes with control tasks](https://arxiv.org/abs/1909.03368) | section 2 |
# | Hewitt and Manning (2019): [A structural probe for finding syntax](https://aclanthology.org/N19-1419/) | depth and distance in trees |
# | Jain and Wallace (2019): [Attention is not explanation](https://arxiv.org/abs/1902.10186); Wiegreffe and Pinter (2019): [Attention is not not explanation](https://arxiv.org/abs/1908.04626) | read both |
# | Elazar et al. (2021): [Amnesic probing](https://arxiv.org/abs/2006.00995) | remove, then look |
# | Ettinger (2020): [What BERT is not](https://arxiv.org/abs/1907.13528) | tests by masked words |
#
# In the package: `minibert/analysis/` (arrays in, numbers out), `minibert/course/unit12/experiments/` (this lesson's models and measures).
#
# **Next**: [the exercise](../exercises/12_inside/12_inside.ipynb). You write six of these measures, and find the leaks
# in somebody else's probe.
