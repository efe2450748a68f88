// The long lists of the measured page: thousands of skills, and thousands of threads with branches, in pages as the
// server sends them.

import { threadInfo } from '../../../test/unit/page/ports.ts'
import { skill } from '../../../test/browser/walk-data.ts'

/** Answers a request by its address. */
export type PagedAnswer = (address: URL) => unknown

/** The part of `entries` that the address asks for. */
function paged<T>(count: number, entryAt: (at: number) => T): PagedAnswer {
  return ({ searchParams }) => {
    const from = Number(searchParams.get('cursor') ?? 0)
    const to = Math.min(count, from + Number(searchParams.get('limit') ?? 100))
    const data = Array.from({ length: to - from }, (_, at) => entryAt(from + at))
    return { data, next_cursor: to < count ? String(to) : null }
  }
}

/** A library of `count` skills. */
export function longLibrary(count: number): Readonly<Record<string, PagedAnswer>> {
  const name = (at: number): string => `skill-${String(at).padStart(5, '0')}`
  return {
    '/v1/skills': paged(count, (at) =>
      skill(name(at), { description: `Use when ${name(at)} and others are asked for.` }),
    ),
  }
}

/** A list of `count` threads, each with as many branches. */
export function longThreadList(count: number, branches: number): Readonly<Record<string, PagedAnswer>> {
  const day = 86_400_000
  return {
    '/v1/threads': paged(count, (at) => {
      const root = `th_${at}`
      const title = `What was said about subject ${at}`
      const threads = Array.from({ length: branches + 1 }, (_, branch) => ({
        thread_id: branch === 0 ? root : `${root}_${branch}`,
        status: 'idle' as const,
      }))
      const updated_at = new Date(Date.UTC(2026, 10, 1) - at * (day / 20)).toISOString()
      return threadInfo(root, { title, updated_at, tree: { title, count: branches + 1, threads } })
    }),
  }
}
