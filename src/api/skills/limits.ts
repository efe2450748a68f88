// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of the reason for accepting a rule's findings: a sentence or two, stored with each finding. */
export const ACCEPT_REASON_MAX_CHARS = 500
/** Maximum number of rules in one `accept` field. The scan has fewer rules that can be accepted. */
export const ACCEPT_RULES_MAX = 20
/**
 * Maximum size of a skill's archive. Media files hardly compress, so an archive may be as large as its files. Both together fit into the
 * 128 MB of an isolate.
 */
export const ARCHIVE_BODY_MAX_BYTES = 33_554_432
