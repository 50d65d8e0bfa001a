"""The questions at the end of lesson 4."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "At one [MASK] the right word got p = 0.05, at another p = 0.5. What is their loss?",
                [
                    Choice("About 1.84", True, "Right: −ln 0.05 = 3.00, −ln 0.5 = 0.69; the mean is 1.84."),
                    Choice("About 1.29", False, "First the logarithms, then the mean."),
                    Choice("0.725", False, "That is the mean of 1 − p, which rewards exaggeration."),
                ],
            ),
            QuizQuestion(
                "An untrained model with 30,522 tokens begins with a loss of 1.55. What is likely?",
                [
                    Choice("Lucky first weights", False, "It knows nothing: ln 30,522 = 10.33."),
                    Choice(
                        "A sum divided by all positions",
                        True,
                        "Right: 15% are chosen, and 0.15 × 10.33 = 1.55.",
                    ),
                    Choice("Too high a learning rate", False, "Before the first step it has no effect."),
                ],
            ),
            QuizQuestion(
                "What does it mean that the head is tied?",
                [
                    Choice("Input and output share one table", True, "Right: a token has one row for both."),
                    Choice("The head is not trained", False, "It is. The table learns from both uses."),
                    Choice("MLM and NSP share one head", False, "Each has its own; they share the encoder."),
                ],
            ),
            QuizQuestion(
                "A model has 98% in NSP. You exchange A and B, and its answers stay. What follows?",
                [
                    Choice("It understands both directions", False, "Exchanged, B no longer follows A."),
                    Choice("It compares topics, not order", True, "Right: what it uses ignores the order."),
                    Choice("Its NSP head is broken", False, "It finds foreign texts, as it was trained to."),
                ],
            ),
            QuizQuestion(
                "What did RoBERTa's table 2 show about NSP?",
                [
                    Choice(
                        "Most scores are slightly better without", True, "Right; only SST-2 loses a little."
                    ),
                    Choice("It harms every task by many points", False, "The differences are small."),
                    Choice("Sentence order is better", False, "That is ALBERT's finding."),
                ],
            ),
        ]
    )
