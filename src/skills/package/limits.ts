// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

import { SKILL_MAX_BYTES } from '../../limits/skills.ts'

/**
 * Members of one archive, including folders, ignored files and the extended headers of a tar: four times the number of
 * files that a skill may have.
 */
export const ARCHIVE_ENTRIES_MAX = 4_096
/**
 * Bytes of one extended header of a tar (pax, GNU long name), which is held in memory: twice the longest path on Linux
 * (4,096 bytes). Real ones have a few hundred.
 */
export const TAR_META_MAX_BYTES = 8_192
/** Records in one pax header. Each takes microseconds. A file with ten extended attributes has 30. */
export const TAR_PAX_RECORDS_MAX = 64
/**
 * Size of the pieces in which compressed streams are read and written. Large, so that pauses in between cost little.
 */
export const INFLATE_PIECE_BYTES = 262_144
/**
 * While an archive is packed, each file of up to this size increases the number of files that are read ahead by one. A
 * larger file resets that number to one.
 */
export const PACK_SMALL_FILE_MAX_BYTES = 262_144
/**
 * Bytes of a decompressed tar: the files, four blocks of headers and padding per member, and twenty blocks at the
 * end.
 */
export const ARCHIVE_TAR_MAX_BYTES = SKILL_MAX_BYTES + 2_048 * ARCHIVE_ENTRIES_MAX + 10_240
/** Bytes of one skill's findings in the index, as JSON. Those of real skills have at most 0.9 KB. */
export const INDEX_FINDINGS_MAX_BYTES = 4_096
/** Bytes of a file for which a diff is made. Diffs are for people, so larger files are only named. */
export const DIFF_FILE_MAX_BYTES = 262_144
/** Differing lines in a diff. The comparison takes quadratic time: about 50 ms for this many. */
export const DIFF_EDITS_MAX = 1_000
/** Bytes packed between two pauses: 5 to 15 ms of CPU. */
export const PACK_PIECE_BYTES = 131_072
/** Bytes packed in about a microsecond, the unit of the pace. */
export const PACK_BYTES_PER_UNIT = 12
