// Formats the server's times, which are in UTC, for the user's time zone.

import { harmlessLine } from '../lib/terminal.ts'

/** `2026-11-23 14:05`, in local time. */
export function localTime(iso: string): string {
  const date = new Date(iso)
  const twoDigits = (part: number): string => String(part).padStart(2, '0')
  return Number.isNaN(date.getTime())
    ? harmlessLine(iso)
    : `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}
