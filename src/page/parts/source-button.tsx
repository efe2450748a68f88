// Switches a document between how it looks and its source.

import type { Signal } from '@preact/signals'

import { Button } from './button.tsx'

export function SourceButton({ isSource }: { readonly isSource: Signal<boolean> }) {
  return (
    <Button
      kind="plain"
      icon="code"
      isPressed={isSource.value}
      onPress={() => (isSource.value = !isSource.value)}
    >
      Source
    </Button>
  )
}
