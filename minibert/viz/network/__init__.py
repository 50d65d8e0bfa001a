"""What happens between the words and one prediction: attention, layers, whole architectures."""
