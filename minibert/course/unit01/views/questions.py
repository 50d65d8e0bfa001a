"""The questions of lesson 1: examples to sort, and the quiz at the end."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion, Sorter

KINDS = "supervised", "unsupervised", "self-supervised"
EXAMPLES = (  # with the index of its kind, and the reason
    ("Film reviews, each marked good or bad by its author", 0, "People wrote the answers: the marks."),
    ("Put news articles about the same event into one group", 1, "Nobody has given the groups."),
    ("Predict the next word of a text", 2, "The text itself has the answer."),
    ("Sentences with translations, written by translators", 0, "People wrote the answers: the translations."),
    ("Draw texts as points on a map, similar ones close together", 1, "No map is given as the right one."),
    ("Fill in a missing part of a photo (inpainting), or its colours", 2, "The photo itself had the answer."),
)


def kinds() -> Sorter:
    """Let the student sort examples into supervised, unsupervised and self-supervised learning."""
    return Sorter(
        [
            QuizQuestion(text, [Choice(kind, i == right, why) for i, kind in enumerate(KINDS)])
            for text, right, why in EXAMPLES
        ]
    )


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "A sequence has 200 words. With BERT's recipe, how many of them on average are predicted, "
                "and how many become [MASK]?",
                [
                    Choice(
                        "30 predicted, 30 [MASK]", False, "30 are chosen, but only 80% of them become [MASK]."
                    ),
                    Choice(
                        "160 predicted, 24 [MASK]", False, "80% is a share of the chosen words, not of all."
                    ),
                    Choice(
                        "30 predicted, 24 [MASK]",
                        True,
                        "Right. 15% of 200 are predicted; 80% of these become [MASK], "
                        "3 are replaced, 3 kept.",
                    ),
                    Choice("24 predicted, 24 [MASK]", False, "Replaced and kept words are predicted too."),
                ],
            ),
            QuizQuestion(
                "A chosen word was kept. What happens at its position?",
                [
                    Choice(
                        "It is predicted, and a wrong prediction counts, as for all chosen words",
                        True,
                        "Right. The model just cannot tell that it is tested on this word.",
                    ),
                    Choice(
                        "Nothing, it is an ordinary word",
                        False,
                        "It was chosen, so it is predicted: that is what makes it "
                        "different from the other 85%.",
                    ),
                    Choice(
                        "It is masked in the next epoch",
                        False,
                        "With fresh masks the next epoch draws again, and remembers nothing.",
                    ),
                ],
            ),
            QuizQuestion(
                "What can a masked language model use that a left-to-right model cannot?",
                [
                    Choice("The masked word itself", False, "No: then there would be nothing to learn."),
                    Choice(
                        "More training examples per text", False, "Fewer: 15% of the words instead of all."
                    ),
                    Choice(
                        "The words to the right of the gap",
                        True,
                        "Right: “barked all night” points back to the dog.",
                    ),
                ],
            ),
            QuizQuestion(
                "One static mask at 15%, a hundred epochs. What share of the words has been predicted?",
                [
                    Choice("15%", True, "Right. It is the same 15% every time."),
                    Choice(
                        "Nearly all", False, "With fresh masks, yes: 1 − 0.85¹⁰⁰. A static one never changes."
                    ),
                    Choice("80%", False, "That would be ten different masks: 1 − 0.85¹⁰."),
                ],
            ),
            QuizQuestion(
                "glass [MASK] ##er can be filled without reading the sentence. What prevents this?",
                [
                    Choice("A lower masking rate", False, "Then even more of each word stays visible."),
                    Choice(
                        "Masking whole words",
                        True,
                        "Right. Then no part of a masked word is visible.",
                    ),
                    Choice(
                        "Fresh masks in each epoch",
                        False,
                        "In each epoch, parts of words stay visible again.",
                    ),
                ],
            ),
        ]
    )
