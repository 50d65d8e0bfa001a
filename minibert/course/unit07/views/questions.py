"""The questions at the end of lesson 7."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "What is added on top of BERT to answer questions?",
                [
                    Choice(
                        "A layer that gives two numbers for each token",
                        True,
                        "Right: a start score and an end score.",
                    ),
                    Choice(
                        "A decoder that writes the answer", False, "The answer is cut out of the passage."
                    ),
                    Choice("A list of possible answers", False, "Any span of the passage may be the answer."),
                ],
            ),
            QuizQuestion(
                "The best start is token 7, the best end is token 3. What is the answer?",
                [
                    Choice("Tokens 3 to 7", False, "That span would begin where the model saw an end."),
                    Choice(
                        "The allowed pair with the highest sum",
                        True,
                        "Right. It may contain neither of the two.",
                    ),
                    Choice("There is none", False, "There may be a good one: search the pairs."),
                ],
            ),
            QuizQuestion(
                "Exact match 0, F1 0.8. What has happened, most likely?",
                [
                    Choice("A word too many or too few", True, "Right: most words are in both texts."),
                    Choice("The name of somebody else", False, "Then F1 is usually lower."),
                    Choice("Capitals differ", False, "Both scores ignore capitals."),
                ],
            ),
            QuizQuestion(
                "The answer lies across the edge of a window. What is the label of that window?",
                [
                    Choice("The part that is inside", False, "That would teach the model to stop too early."),
                    Choice("[CLS]: not here", True, "Right. Another window can hold the whole answer."),
                    Choice("The window is thrown away", False, "It teaches something, too: not here."),
                ],
            ),
            QuizQuestion(
                "You raise the threshold for “no answer”. What happens?",
                [
                    Choice("More questions are answered", True, "Right: silence must then win by more."),
                    Choice("Fewer questions are answered", False, "The other way round."),
                    Choice(
                        "The answers get longer", False, "It only decides whether the best span is given."
                    ),
                ],
            ),
        ]
    )
