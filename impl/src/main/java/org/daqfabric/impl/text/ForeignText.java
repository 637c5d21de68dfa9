package org.daqfabric.impl.text;

/** Text that a peer has sent. */
public final class ForeignText {
    /** Stands for a character that is not shown. */
    public static final char REPLACEMENT = 0xFFFD;

    /** Those before it can be shown, but for those before the blank. */
    private static final char DELETE = 0x7F;

    private ForeignText() {
    }

    /**
     * The text without what a log or a terminal would obey: ends of lines, other control characters, and characters
     * that change the order in which others are read.
     */
    public static String shown(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (isObeyed(text.charAt(at))) {
                StringBuilder shown = new StringBuilder(text);
                for (int next = at; next < text.length(); next++) {
                    if (isObeyed(text.charAt(next))) {
                        shown.setCharAt(next, REPLACEMENT);
                    }
                }
                return shown.toString();
            }
        }
        return text;
    }

    /** Whether a text had such characters before they were replaced. */
    public static boolean isMaimed(String shown) {
        return shown.indexOf(REPLACEMENT) >= 0;
    }

    private static boolean isObeyed(char each) {
        return each < ' ' || each >= DELETE && switch (Character.getType(each)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
