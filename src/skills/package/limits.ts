// The numbers of this folder: unit in the name, then reason and source.

import { SKILL_BYTES_MAX } from '../../limits/skills.ts'

/**
 * Members of one archive, including folders, files that are left out and meta members of a tar: four times the files of
 * a skill.
 */
export const ARCHIVE_ENTRIES_MAX = 4_096
/**
 * Bytes of a tar's meta member (pax, GNU long names), held in memory while it is read: twice the longest path of Linux
 * (4,096 bytes), ten times that of a skill. Benign ones have a few hundred.
 */
export const TAR_META_MAX_BYTES = 8_192
/** Records in one pax header. Each takes microseconds; a file with ten extended attributes has 30. */
export const TAR_PAX_RECORDS_MAX = 64
/** Size of the pieces in which a gzip stream is read and written: large enough that pauses between them cost little. */
export const INFLATE_PIECE_BYTES = 262_144
/**
 * While an archive is packed, one more file is read ahead after each file up to this size, and one alone after a larger
 * one.
 */
export const PACK_SMALL_BYTES = 262_144
/**
 * A decompressed tar: the files, four blocks of headers and padding for each member, and the twenty blocks at its end.
 */
export const ARCHIVE_TAR_MAX_BYTES = SKILL_BYTES_MAX + 2_048 * ARCHIVE_ENTRIES_MAX + 10_240
/**
 * Findings of one skill in the index, as JSON. Real ones have at most 0.9 KB. Versions store up to
 * PUBLISH_FINDINGS_MAX.
 */
export const INDEX_FINDINGS_MAX_BYTES = 4_096
/** Diffs are for people: larger files are only named. */
export const DIFF_FILE_MAX_BYTES = 262_144
/** Differing lines. The comparison takes quadratic time in them: this many take about 50 ms. */
export const DIFF_EDITS_MAX = 1_000
/** Bytes packed between two pauses: 5 to 15 ms of CPU. */
export const PACK_PIECE_BYTES = 131_072
/** Bytes packed in about a microsecond, the unit of the pace. */
export const PACK_BYTES_PER_UNIT = 12
