"""Flag suspicious code and similar answers for a person to judge. Points do not change."""
