// Formats permissions as letters: `-rw-r--r--`.

import type { FileStatus } from '../io/files.ts'

export function permissionsText({ kind, mode }: FileStatus): string {
  if (kind === 'link') return 'lrwxrwxrwx'
  const bits = [0o400, 0o200, 0o100, 0o040, 0o020, 0o010, 0o004, 0o002, 0o001]
  return (
    (kind === 'directory' ? 'd' : '-') +
    bits.map((bit, at) => (mode & bit ? ('rwx'[at % 3] ?? '') : '-')).join('')
  )
}
