"""The characters of the texts that a user sees (article "Approval requests and answers", section "Texts that are seen")."""
import unicodedata

REFUSED = [
    # Control characters, separators of lines, and what changes the direction of writing.
    (0x0000, 0x001F), (0x007F, 0x009F), (0x2028, 0x202E), (0x061C, 0x061C), (0x200E, 0x200F), (0x2066, 0x2069),
    # Default-ignorable code points.
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200D),
    (0x2060, 0x2065), (0x206A, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
    # Other characters that show nothing, or only frame others.
    (0x2800, 0x2800), (0xFFF9, 0xFFFC), (0x13430, 0x1345F), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159),
    # Private use and noncharacters.
    (0xE000, 0xF8FF), (0xF0000, 0x10FFFF), (0xFDD0, 0xFDEF), *((n << 16 | 0xFFFE, n << 16 | 0xFFFF) for n in range(17))]
EMOJI = [
    (0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139), (0x2190, 0x21FF),
    (0x2300, 0x23FF), (0x24C2, 0x24C2), (0x25A0, 0x27BF), (0x2934, 0x2935), (0x2B00, 0x2BFF), (0x3030, 0x3030),
    (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F000, 0x1FAFF)]
WITH_JOINERS = [(0x0600, 0x0DFF)]
# White space and blocks of combining marks.
BLANK = [
    (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
    (0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)]
NON_JOINER, JOINER, EMOJI_PRESENTATION = "\u200c", "\u200d", "\ufe0f"


def among(character, ranges):
    return any(first <= ord(character) <= last for first, last in ranges)


def is_allowed(text, place):
    character, before, after = text[place], text[place - 1:place], text[place + 1:place + 2]
    if not among(character, REFUSED):
        return True
    if character == EMOJI_PRESENTATION:
        return before != "" and among(before, EMOJI)
    if character not in (NON_JOINER, JOINER) or not before or not after:
        return False
    if among(before, WITH_JOINERS) and before != "\u061c":
        return among(after, WITH_JOINERS) and after != "\u061c"
    return character == JOINER and (among(before, EMOJI) or before == EMOJI_PRESENTATION) and among(after, EMOJI)


def is_shown(text):
    """Returns whether a text is in normalization form C, has a character that is seen, and has no refused one."""
    return (unicodedata.normalize("NFC", text) == text and not all(among(character, BLANK) for character in text)
            and all(is_allowed(text, place) for place in range(len(text))))


def check():
    for good in (
            "a b", "Zoë’s", "ﷺ", "می\u200cخواهم", "क\u200dष", "क्\u200dष", "☺\ufe0f", "❤\ufe0f", "🇦🇹", "1\u20e3",
            "👨\u200d👩\u200d👧\u200d👦", "👩🏽\u200d🔬", "🏳\ufe0f\u200d🌈", "👩\u200d❤\ufe0f\u200d💋\u200d👨"):
        assert is_shown(good), ascii(good)
    for bad in (
            "", " \u2003", "\u0301", "\u00ad", "\u200b", "\u2800", "\u3164", "\ufeff", "\ue000", "\ufdd0", "\U0010ffff", "\U0001fffe",
            "AC\u200bME", "AC\u200dME", "Pay 1 EUR\U000e0031", "a" + 100 * "\ufe0f", "☺\ufe0f\ufe0f", "1\ufe0f\u20e3", "م\u200c",
            "\u200cم", "م\u200c\u200cم", "م\u200d م", "👩\u200d", "👩\u200c🔬", "👩\u200da", "a\u202eb", "a\u2066b", "Zoe\u0308"):
        assert not is_shown(bad), ascii(bad)


if __name__ == "__main__":
    check()
