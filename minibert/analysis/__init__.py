"""Look inside a model: arrays go in (attention, hidden states, gradients), arrays of numbers come out.

Nothing here knows a model, so that each measure serves any model, and is tested on a handful of numbers.
`definitions` has the six measures that an exercise asks for; the other files build on them, one
question each: what patterns heads show, which heads matter, how much a vector depends on its sentence, where
it comes from, what can be known from attention, which sense a word has, and what a probe finds.
"""
