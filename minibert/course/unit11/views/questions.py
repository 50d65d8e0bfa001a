"""The quiz of lesson 11."""

from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz at the end of the lesson."""
    return Quiz(
        [
            QuizQuestion(
                "Your model is 100 MB, most of it embeddings, and you may only use 40 MB. What helps most?",
                [
                    Choice("Fewer bits for each weight", True, "Right: they shrink the embeddings, too."),
                    Choice("Fewer layers", False, "The embeddings stay, and they are most of the file."),
                    Choice("Fewer heads", False, "Heads are a small part of the file."),
                ],
            ),
            QuizQuestion(
                "What do soft targets say that labels do not?",
                [
                    Choice("Which other answers are nearly right", True, "Right: a probability for each."),
                    Choice("Which answer is right", False, "A label says that, too."),
                    Choice(
                        "How the teacher computes it", False, "For that, compare hidden states or attention."
                    ),
                ],
            ),
            QuizQuestion(
                "A loss of soft targets is used without T². You raise T from 1 to 10. What else changes?",
                [
                    Choice(
                        "Its gradient becomes about 100 times smaller", True, "Right, so T² puts it back."
                    ),
                    Choice(
                        "Its gradient becomes about 100 times larger", False, "Softer answers differ less."
                    ),
                    Choice("Nothing else", False, "The gradient changes with 1/T²."),
                ],
            ),
            QuizQuestion(
                "One weight of a matrix is 60, all others lie between −1 and 1. With 8 bits and one step, "
                "what becomes of the others?",
                [
                    Choice("They are rounded to −2 to 2 steps", True, "Right: a step is 60/127, or 0.47."),
                    Choice(
                        "They keep 8 bits of precision", False, "The outlier uses up nearly all the values."
                    ),
                    Choice("They all become 0", False, "Only those below half a step, 0.24."),
                ],
            ),
            QuizQuestion(
                "80% of all weights are set to 0 and stored as before. What is saved?",
                [
                    Choice("Nothing", True, "Right: zeros are stored and multiplied like all numbers."),
                    Choice("80% of the file", False, "Only in a format that leaves zeros out."),
                    Choice("80% of the time", False, "An ordinary matrix product multiplies by each 0."),
                ],
            ),
            QuizQuestion(
                "Heads chosen by importance are removed, the rest is trained, and the score hardly falls. "
                "What must you compare it with, to say that the choice was good?",
                [
                    Choice(
                        "As many random heads, removed and trained alike", True, "Right: that is the control."
                    ),
                    Choice(
                        "The original model", False, "That shows what is lost, not that the choice helped."
                    ),
                    Choice("The pruned model before training", False, "That shows what training repairs."),
                ],
            ),
        ]
    )
