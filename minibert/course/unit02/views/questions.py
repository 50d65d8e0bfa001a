"""The questions at the end of lesson 2."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "Which part of a layer can move something from one word to another?",
                [
                    Choice("Attention", True, "Right: a context is a mixture of the values of all words."),
                    Choice(
                        "The feed-forward network",
                        False,
                        "It works on each word alone, with what attention has collected.",
                    ),
                    Choice("LayerNorm", False, "It rescales the numbers of each word, and sees no other."),
                ],
            ),
            QuizQuestion(
                "Queries and keys have 1,024 numbers, with a standard deviation of 1. What goes wrong "
                "without the division by √d?",
                [
                    Choice(
                        "The weights no longer add up to 1",
                        False,
                        "They always do: the softmax sees to that.",
                    ),
                    Choice(
                        "The softmax saturates: one key takes nearly everything",
                        True,
                        "Right. Its gradient is almost 0 then, and learning almost stops.",
                    ),
                    Choice(
                        "All weights become equal",
                        False,
                        "The other way round: that happens if we divide by too much.",
                    ),
                ],
            ),
            QuizQuestion(
                "Which words may the third of five words look at in BERT, and which in GPT?",
                [
                    Choice(
                        "BERT: all five. GPT: the first three",
                        True,
                        "Right. A word may always look at itself.",
                    ),
                    Choice(
                        "BERT: the other four. GPT: the first two",
                        False,
                        "In both a word may look at itself, too.",
                    ),
                    Choice("All five in both", False, "Then GPT could read the word it should predict."),
                ],
            ),
            QuizQuestion(
                "A trained head gives a word 90% of [MASK]'s attention. What follows?",
                [
                    Choice(
                        "Hiding that word would change the prediction most",
                        False,
                        "That must be measured: other heads, other "
                        "layers and the size of the values count, too.",
                    ),
                    Choice(
                        "90% of that word's value goes into this head's result",
                        True,
                        "Right. How much the prediction depends on it is another question.",
                    ),
                    Choice(
                        "The two words mean nearly the same",
                        False,
                        "A key that fits a query need not be similar in meaning: "
                        "a verb may look for its subject.",
                    ),
                ],
            ),
        ]
    )
