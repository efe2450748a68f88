// A component whose code is loaded when it is first rendered, or before. If that fails, for example offline, it can be tried again.

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

/** `preload` loads the code of a component that may be needed soon, so that it opens at once, also offline. */
export type LazyComponent<P extends object> = ComponentType<P> & { readonly preload: () => void }

export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  lines: number,
): LazyComponent<P> {
  const loaded = signal<ComponentType<P> | null>(null)
  const hasFailed = signal(false)
  const start = async (): Promise<void> => {
    if (loaded.peek()) return
    hasFailed.value = false
    try {
      loaded.value = await load()
    } catch {
      hasFailed.value = true
    }
  }
  const LazyComponent = (props: P) => {
    useEffect(() => void start(), [])
    const Loaded = loaded.value
    if (Loaded) return <Loaded {...props} />
    if (!hasFailed.value) return <Skeleton lines={lines} label="Loading" />
    return (
      <Notice
        trouble={{
          title: 'A part of the page could not be loaded',
          detail: 'You may be offline, or the server may have a new version of the page.',
          supportCodes: '',
          remedy: 'again',
        }}
        onRemedy={() => void start()}
      />
    )
  }
  return Object.assign(LazyComponent, { preload: () => void start() })
}
