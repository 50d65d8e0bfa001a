"""What a visit to each lesson does with its controls: at least one action for each of them, in the syntax of lab.py."""

ACTIONS = {
    "02_attention": [
        "toggle:Question 1=From the text itself", "toggle:Question 2=800", "toggle:Question 3=To save time",
        "click:Next step", "text:Step=7", "dropdown:Sentence=she paid at the bank", "dropdown:Query=swam / paid",
        "click:Back", "text:My query=2 0 3 0",
        "dropdown:K=1024", "check:Divide by √K=off",
        "dropdown:Visibility=causal", "dropdown:Visibility=padding hidden",
        "dropdown:Visibility=causal + padding hidden",
        "dropdown:Heads=2", "dropdown:Heads=4",
        "check:Residual=off", "check:Feed-forward=off", "check:LayerNorm=off", "dropdown:Weights=twice as large",
        "text:Length=100", "dropdown:Hidden size=16", "text:Position=50",
        # the count of the weights does not depend on the heads, and 1024 is no multiple of 12
        "text:Layers=24", ("text:Heads=16", "text:Hidden size=1024"), "text:Vocabulary=50000",
        "toggle:Question 1#2=0.1", "toggle:Question 2#2=All weights become equal",
        "toggle:Question 3#2=BERT: all five. GPT: the first three", "toggle:Question 4=Half the weights",
        "toggle:Question 5=It fails with an error", "toggle:Question 6=They are exact",
    ],
}
