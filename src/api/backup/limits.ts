// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum size of a skill's text or index that is restored into KV, too: that of an index with all its parts. */
export const RESTORED_TEXT_MAX_BYTES = 16_777_216
/** Number of keys in a page of the build's bytes: as many as R2 lists at once (R2 limits). */
export const LISTED_KEYS = 1_000
/** How long the pages of a backup can be read, in milliseconds: a day, far longer than a backup takes. */
export const BACKUP_TICKET_MS = 86_400_000
