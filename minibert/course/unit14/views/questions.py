"""The quiz of lesson 14."""

from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz at the end of the core."""
    return Quiz(
        [
            QuizQuestion(
                "Why are the vectors of a masked language model poor for search?",
                [
                    Choice(
                        "Nothing in its training compares two texts",
                        True,
                        "Right: each vector only has to help with the words of its own text.",
                    ),
                    Choice("They are too short", False, "The sentence encoder's are exactly as long."),
                    Choice(
                        "They do not depend on the context", False, "They do; that was the point of lesson 2."
                    ),
                ],
            ),
            QuizQuestion(
                "A batch has 32 pairs of a question and its answer. How many wrong answers does it offer to "
                "each question?",
                [
                    Choice("31", True, "Right: the answers of all other questions."),
                    Choice("1", False, "All others of the batch serve as negatives, without extra work."),
                    Choice("None: somebody has to label them", False, "That is the trick: nobody has to."),
                ],
            ),
            QuizQuestion(
                "You search for the article number 4711-B. Which search do you trust?",
                [
                    Choice("BM25", True, "Right: a rare word that occurs is exactly what it is good at."),
                    Choice("Sentence vectors", False, "Numbers like this have no meaning to be similar in."),
                    Choice("The [CLS] vector of BERT", False, "It was worse than both in our measurement."),
                ],
            ),
            QuizQuestion(
                "Why is a trained BERT not a Markov random field?",
                [
                    Choice(
                        "Its answers at different gaps need not fit one joint distribution",
                        True,
                        "Right: asked at either gap, it gave different numbers for the same question.",
                    ),
                    Choice("It sees both sides", False, "So do the conditionals of any random field."),
                    Choice("It has no memory", False, "A random field needs none."),
                ],
            ),
            QuizQuestion(
                "Mask-Predict writes 12 words in three iterations. How many are masked in the last one?",
                [
                    Choice("4", True, "Right: 12 · (3 − 2) / 3."),
                    Choice("12", False, "That is the first iteration, t = 0."),
                    Choice("0", False, "Then nothing would be left to do: linear decay ends before 0."),
                ],
            ),
            QuizQuestion(
                "Ten million support tickets a day need one of 20 labels each, on your own machines. Which "
                "kind of model do you try first?",
                [
                    Choice(
                        "A fine-tuned encoder", True, "Right: the task is reading, and each ticket is cheap."
                    ),
                    Choice(
                        "A large decoder with a prompt",
                        False,
                        "It may need no training, but costs far more for each ticket.",
                    ),
                    Choice("BM25", False, "It finds texts; it does not label them."),
                ],
            ),
        ]
    )
