// The numbers of this folder: unit in the name, then reason and source.

/** yaml's unique-key check is quadratic: 16 KB ≤ 0.15 s, 64 KB 0.7 s. Real frontmatter: p99 under 4 KB. */
export const FRONTMATTER_MAX_BYTES = 16_384
/** yaml 2.9 aborts Node on repeated deep input; real frontmatter nests to 6. */
export const FRONTMATTER_MAX_DEPTH = 16
/** yaml spends 10–20 µs on a line or an indicator that is an error: these keep hostile input well under 50 ms. */
export const FRONTMATTER_MAX_LINES = 500
export const FRONTMATTER_MAX_INDICATORS = 1_000
/** Characters of a header that is too large for YAML in which name and description are searched. */
export const FRONTMATTER_SCAN_CHARS = 65_536
/** Lines at the top of a file in which misplaced frontmatter is searched. In real files it begins by line 4. */
export const FRONTMATTER_SEARCH_LINES = 20
/** `a: a: a:` nests once for each colon. Quoted prose has a few dozen. */
export const FRONTMATTER_MAX_LINE_COLONS = 32
/** Characters of `compatibility`: Agent Skills specification. */
export const SKILL_COMPATIBILITY_MAX = 500
/** Characters of description and when_to_use together, as the listing shows them; Claude Code's limit. */
export const SKILL_LISTING_MAX = 1_536
/** Characters of a licence. The specification says "short": a licence's name or a file's. Longer text is cut here. */
export const SKILL_LICENSE_MAX = 200
/** Tags are in each index. Real skills have under a dozen. */
export const SKILL_TAGS_MAX = 32
export const SKILL_TAG_MAX = 64
/** Names in allowed-tools, and in disallowed-tools. Real skills have under thirty. */
export const SKILL_TOOLS_MAX = 128
/** Skills that one skill depends on. Each must be visible where it is. */
export const SKILL_DEPENDENCIES_MAX = 32
/** Characters of a changelog (a few lines) and of an argument hint (one line): both are in each index. */
export const SKILL_CHANGELOG_MAX = 1_000
export const SKILL_ARGUMENT_HINT_MAX = 200
/** Findings of one skill below an error: they are in each index. */
export const SKILL_FINDINGS_MAX = 50
/** Code points of one finding's message: a sentence and its subject. */
export const FINDING_MESSAGE_MAX = 600
/** Recommended by the specification; a warning above. */
export const SKILL_BODY_ADVISED_LINES = 500
export const SKILL_BODY_ADVISED_TOKENS = 5_000
/** Real maxima are 162 characters and 8 segments; an R2 key has 1,024 bytes. */
export const SKILL_PATH_MAX_DEPTH = 16
