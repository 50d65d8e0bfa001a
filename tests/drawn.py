"""What tests ask of a drawing."""


def fits(fig):
    """Whether all that is drawn, with its labels, lies on the figure."""
    fig.draw_without_rendering()
    left, bottom, right, top = fig.get_tightbbox().extents  # inches
    width, height = fig.get_size_inches()
    return 0 <= left and 0 <= bottom and right <= width and top <= height
