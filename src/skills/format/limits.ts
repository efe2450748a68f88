// The numbers of this folder: unit in the name, then reason and source.

/** yaml's unique-key check is quadratic: 16 KB ≤ 0.15 s, 64 KB 0.7 s. Real frontmatter: p99 under 4 KB. */
export const FRONTMATTER_MAX_BYTES = 16_384
/** yaml 2.9 aborts Node on repeated deep input; real frontmatter nests to 6. */
export const FRONTMATTER_MAX_DEPTH = 16
/** yaml spends 10–20 µs on a line or an indicator that is an error: these keep hostile input well under 50 ms. */
export const FRONTMATTER_MAX_LINES = 500
export const FRONTMATTER_MAX_INDICATORS = 1_000
/** Of a header that is too large for YAML, this much is searched for name and description. */
export const FRONTMATTER_SCAN_CHARS = 65_536
/** Lines at the top of a file among which a frontmatter that does not begin it is looked for: real ones begin by 4. */
export const FRONTMATTER_SEARCH_LINES = 20
/** `a: a: a:` nests once a colon; prose in quotes has a few dozen. */
export const FRONTMATTER_MAX_LINE_COLONS = 32
/** Characters of `compatibility`: Agent Skills specification. */
export const SKILL_COMPATIBILITY_MAX = 500
/** Description and when_to_use joined, as the listing shows them; the figure of Claude Code. */
export const SKILL_LISTING_MAX = 1_536
/** "Short" by the specification: a licence's name or a file's; a list in the frontmatter is cut here. */
export const SKILL_LICENSE_MAX = 200
/** Tags travel in each index; real skills have under a dozen. */
export const SKILL_TAGS_MAX = 32
export const SKILL_TAG_MAX = 64
/** Names in allowed-tools and disallowed-tools, each: real skills have under thirty. */
export const SKILL_TOOLS_MAX = 128
/** Skills that one skill depends on: each must be visible where it is. */
export const SKILL_DEPENDENCIES_MAX = 32
/** What is new in a version, and what to write behind /name: a few lines and one, in each index. */
export const SKILL_CHANGELOG_MAX = 1_000
export const SKILL_ARGUMENT_HINT_MAX = 200
/** Findings of one skill below an error: they travel in each index. */
export const SKILL_FINDINGS_MAX = 50
/** Code points of one finding's message: a sentence with what it is about. */
export const FINDING_MESSAGE_MAX = 600
/** Advice of the specification, a warning above. */
export const SKILL_BODY_ADVISED_LINES = 500
export const SKILL_BODY_ADVISED_TOKENS = 5_000
/** Real maxima are 162 characters and 8 segments; an R2 key has 1,024 bytes. */
export const SKILL_PATH_MAX_DEPTH = 16
