// The closest peer's loader, as far as the bench calls it. This text gives the types; scripts/bench/skills-peer.ts puts
// the published package in its place when it bundles the Worker, so that nothing of it is a dependency of ours.

interface Source {
  readonly id: string
}

interface PeerCatalog {
  readonly skills: readonly unknown[]
  prompt(): string | null
  activate(name: string): { readonly ok: true; readonly value: string } | { readonly ok: false }
}

function absent(): Error {
  return new Error('the bench bundles the peer’s package in place of this file')
}

/** Skills of a bucket: `<prefix><skill>/SKILL.md` and files beside it. */
export function r2(
  _bucket: R2Bucket,
  _options: { readonly prefix: string; readonly refreshIntervalMs?: number },
): Source {
  throw absent()
}

export async function loadSkillCatalog(_sources: readonly Source[]): Promise<PeerCatalog> {
  throw absent()
}
