"""The questions at the end of lesson 6."""

from ...widgets.quiz import Choice, Quiz, QuizQuestion


def quiz() -> Quiz:
    """Return the quiz."""
    return Quiz(
        [
            QuizQuestion(
                "You fine-tune BERT-base for two labels. How many parameters are new?",
                [
                    Choice("1,538", True, "Right: 768 for each label, and two biases."),
                    Choice("110 million", False, "All of these are trained, but they are not new."),
                    Choice("768", False, "That is one label's vector."),
                ],
            ),
            QuizQuestion(
                "A model has 96% accuracy; in the test set, 95% have the same label. What do you ask next?",
                [
                    Choice("Nothing: 96% is good", False, "Always giving the same label reaches 95%."),
                    Choice("Its Matthews correlation", True, "Right. It is 0 for one answer to everything."),
                    Choice("Its F1 of the frequent label", False, "One answer to everything gets 97 there."),
                ],
            ),
            QuizQuestion(
                "Why may the encoder get a smaller learning rate than the head?",
                [
                    Choice("It has more parameters", False, "From scratch it has as many."),
                    Choice("Its weights are worth keeping", True, "Right; the head's are random."),
                    Choice("Adam needs it", False, "BERT's authors use one rate for both, a small one."),
                ],
            ),
            QuizQuestion(
                "You try 20 settings on the test set, and report the best score. What is wrong?",
                [
                    Choice("Nothing, if all have the same seed", False, "Then it is luck with that seed."),
                    Choice(
                        "It is partly luck", True, "Right. Choose on dev data, and test the chosen one once."
                    ),
                    Choice("20 are too few", False, "With more, the best is luckier still."),
                ],
            ),
            QuizQuestion(
                "In SWAG, you add the same number to the score of every option. What happens?",
                [
                    Choice("Nothing", True, "Right: to the softmax, only differences matter."),
                    Choice("The probabilities grow", False, "They still add up to 1."),
                    Choice("They become equal", False, "Equal scores would do that."),
                ],
            ),
            QuizQuestion(
                "A classifier that reads only B gets 67% on SNLI. What does this say?",
                [
                    Choice("It understands B", False, "It never sees what B should follow from."),
                    Choice("B alone betrays the label", True, "Right: the data has a shortcut."),
                    Choice("The labels are wrong", False, "They can all be right."),
                ],
            ),
        ]
    )
