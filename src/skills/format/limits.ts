// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Bytes of frontmatter that are parsed as YAML: 16 KB take up to 0.15 s. The p99 of real frontmatter is under 4 KB. */
export const FRONTMATTER_MAX_BYTES = 16_384
/** Levels of nesting. yaml 2.9 aborts Node on repeated deep input; real frontmatter has at most 6 levels. */
export const FRONTMATTER_MAX_DEPTH = 16
/** Lines and YAML indicators. yaml spends 10–20 µs on each invalid one; these limits keep that well under 50 ms. */
export const FRONTMATTER_MAX_LINES = 500
export const FRONTMATTER_MAX_INDICATORS = 1_000
/** Characters that are searched for name and description if a header is too large to be parsed as YAML. */
export const FRONTMATTER_SCAN_CHARS = 65_536
/** Lines at the top of a file that are searched for misplaced frontmatter. In real files it begins by line 4. */
export const FRONTMATTER_SEARCH_LINES = 20
/** Colons in one line: each of those in `a: a: a:` adds a level of nesting. Lines of quoted prose have a few dozen. */
export const FRONTMATTER_MAX_LINE_COLONS = 32
/** Characters of `compatibility`, as in the Agent Skills specification. */
export const SKILL_COMPATIBILITY_MAX_CHARS = 500
/** Characters of description and when_to_use together, as the listing shows them. Same as Claude Code's limit. */
export const SKILL_LISTING_MAX_CHARS = 1_536
/** Characters of a license: its name or the name of a file. The specification only says "short". */
export const SKILL_LICENSE_MAX_CHARS = 200
/** Tags of one skill, and characters of one tag. Tags are in each index. Real skills have fewer than a dozen. */
export const SKILL_TAGS_MAX = 32
export const SKILL_TAG_MAX_CHARS = 64
/** Names in allowed-tools, and in disallowed-tools. Real skills have fewer than thirty. */
export const SKILL_TOOLS_MAX = 128
/** Skills that one skill may depend on. All of them must be visible wherever it is. */
export const SKILL_DEPENDENCIES_MAX = 32
/** Characters of a changelog (a few lines) and of an argument hint (one line): both are in each index. */
export const SKILL_CHANGELOG_MAX_CHARS = 1_000
export const SKILL_ARGUMENT_HINT_MAX_CHARS = 200
/** Characters of a title (a few words), of a summary (one line), and of an example (a message that fits on a card), and examples: all are in each index. */
export const SKILL_TITLE_MAX_CHARS = 60
export const SKILL_SUMMARY_MAX_CHARS = 120
export const SKILL_EXAMPLE_MAX_CHARS = 400
export const SKILL_EXAMPLES_MAX = 4
/** Warnings and notes about one skill, which are in each index. Errors are not limited. */
export const SKILL_FINDINGS_MAX = 50
/** Code points of one finding's message: a sentence or two, with quoted text. */
export const FINDING_MESSAGE_MAX_CHARS = 600
/** The maximum size of a body that the specification recommends. A longer one gets a warning. */
export const SKILL_BODY_ADVISED_LINES = 500
export const SKILL_BODY_ADVISED_TOKENS = 5_000
/** Segments of a path. The deepest path of a real skill has 8. */
export const SKILL_PATH_MAX_DEPTH = 16
