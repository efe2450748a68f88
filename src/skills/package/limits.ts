// The numbers of this folder: unit in the name, then reason and source.

import { SKILL_BYTES_MAX } from '../../limits/skills.ts'

/**
 * Members of one archive, folders, what is left out and what a tar says of members included: four times the files a skill
 * may have.
 */
export const ARCHIVE_ENTRIES_MAX = 4_096
/**
 * What a tar says of one member beside its header (pax, GNU's long names), held whole while it is read: twice the longest
 * path of Linux (4,096 bytes), ten times that of a skill; honest records have some hundreds.
 */
export const TAR_META_MAX_BYTES = 8_192
/** Records in one pax header: each takes microseconds; a file with ten extended attributes has 30. */
export const TAR_PAX_RECORDS_MAX = 64
/** A gzip stream is opened in pieces of this size, in and out: large enough that turns between them cost little. */
export const INFLATE_PIECE_BYTES = 262_144
/** While an archive is packed, one file more is read ahead behind each of at most this size, one alone behind a larger one. */
export const PACK_SMALL_BYTES = 262_144
/** An opened tar: the files, four blocks of headers and padding for each member, and the twenty blocks at its end. */
export const ARCHIVE_TAR_MAX_BYTES = SKILL_BYTES_MAX + 2_048 * ARCHIVE_ENTRIES_MAX + 10_240
/** Findings of one skill in the index, as JSON: real ones have 0.9 KB at most. Versions keep PUBLISH_FINDINGS_MAX. */
export const INDEX_FINDINGS_MAX_BYTES = 4_096
/** A diff is for people: larger files, and more of them, are named without one. */
export const DIFF_FILE_MAX_BYTES = 262_144
/** Lines that differ; the comparison grows with their square: so many take about 50 ms. */
export const DIFF_EDITS_MAX = 1_000
/** What is packed before others are served: 5 to 15 ms of a processor. */
export const PACK_PIECE_BYTES = 131_072
/** Packing so many bytes takes about a microsecond: what the pace counts. */
export const PACK_BYTES_PER_UNIT = 12
