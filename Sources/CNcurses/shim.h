#ifndef PROGRESSBUS_CNCURSES_SHIM_H
#define PROGRESSBUS_CNCURSES_SHIM_H

/* Wide characters and colour pairs beyond 255. */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

/*
 * A file in memory: what ncurses writes to it becomes one write to the terminal. Elsewhere than on
 * Linux a file that has no name.
 */
#ifdef __linux__
extern int memfd_create(const char *name, unsigned flags);
static inline FILE *curses_scratch_file(void) {
    int descriptor = memfd_create("progressbus-screen", 1 /* MFD_CLOEXEC */);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
}
#else
static inline FILE *curses_scratch_file(void) { return tmpfile(); }
#endif

/* How many columns the C library, and with it ncurses, gives a character. */
extern int wcwidth(wchar_t character);
static inline int curses_width(wchar_t character) { return wcwidth(character); }

/*
 * The size is the terminal's, whatever LINES and COLUMNS say, and it is set once there is a screen.
 * Until then ncurses takes that of the description, or 80 by 24 where it has none, as TERM=linux; the
 * latter only if it may ask the system, which a file in memory has no answer for.
 */
static inline void curses_ignore_environment(void) {
    use_env(FALSE);
#if defined(NCURSES_EXT_FUNCS) && NCURSES_EXT_FUNCS >= 20120714
    use_tioctl(TRUE);
#endif
}

/* Globals and macros of ncurses that Swift cannot reach, or not safely. */

static inline WINDOW *curses_standard_window(void) { return stdscr; }
static inline int curses_colors(void) { return COLORS; }

static inline attr_t curses_bold(void) { return A_BOLD; }
static inline attr_t curses_dim(void) { return A_DIM; }
static inline attr_t curses_underline(void) { return A_UNDERLINE; }
static inline attr_t curses_reverse(void) { return A_REVERSE; }

static inline int curses_key_code(void) { return KEY_CODE_YES; }

/* A press of the left button, and the two directions of the wheel. */
static inline mmask_t curses_left_button(void) { return BUTTON1_PRESSED; }
static inline mmask_t curses_wheel_up(void) { return BUTTON4_PRESSED; }
static inline mmask_t curses_wheel_down(void) {
#ifdef BUTTON5_PRESSED
    return BUTTON5_PRESSED;
#else
    return 0;
#endif
}

/* A string of the terminal's description; NULL where it has none. */
static inline const char *curses_string(const char *name) {
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? NULL : text;
}

/* Where the cursor goes for this row and column; NULL where the terminal cannot. */
static inline const char *curses_position(int row, int column) {
    const char *text = curses_string("cup");
    return text ? tiparm(text, row, column) : NULL;
}

/* Lets the rows from the first to the last scroll, and the others stand; NULL where it cannot. */
static inline const char *curses_scrolling(int first, int last) {
    const char *text = curses_string("csr");
    return text ? tiparm(text, first, last) : NULL;
}

#endif
