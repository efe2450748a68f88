// Files that an answer presents.

import { nameOf, type Artifact } from '../run/files.ts'

export function Artifacts({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  if (artifacts.length === 0) return null
  return (
    <ul class="chips" aria-label="Files of the answer">
      {artifacts.map(({ path }) => (
        <li key={path}>{nameOf(path)}</li>
      ))}
    </ul>
  )
}
