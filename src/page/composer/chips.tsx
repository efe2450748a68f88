// The files of the next message: upload progress and removal.

import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { FileMark } from '../files/file-mark.tsx'
import { FileName } from '../files/file-name.tsx'
import { describeChip, type Chip } from '../state/files/chip.ts'

/** `focusBox` moves the focus to the message box, because the pressed button of a chip disappears. */
export function AttachedChips({ focusBox }: { readonly focusBox: () => void }) {
  const { attachments } = useApp()
  if (attachments.chips.value.length === 0) return null
  return (
    <ul class="chips" aria-label="Attached files">
      {attachments.chips.value.map((chip) => (
        <AttachedChip key={chip.key} chip={chip} focusBox={focusBox} />
      ))}
    </ul>
  )
}

function AttachedChip({ chip, focusBox }: { readonly chip: Chip; readonly focusBox: () => void }) {
  const { attachments, composer } = useApp()
  const { name, bytes, content, uploaded, state, fraction, mayRetry, text, error } = chip
  const isMoving = state === 'uploading' || state === 'storing'
  const row = useRef<HTMLLIElement>(null)
  // Many files scroll. What is uploaded now, and what failed, is in view.
  useLayoutEffect(() => {
    if (state === 'uploading' || state === 'failed') row.current?.scrollIntoView({ block: 'nearest' })
  }, [state])
  return (
    <li ref={row} class={['chip', state, error && 'long'].filter(Boolean).join(' ')}>
      <FileMark path={name} bytes={bytes} href={uploaded?.href ?? ''} content={content} />
      <span class="text">
        <FileName name={name} />
        <small role={state === 'failed' ? 'alert' : undefined}>{describeChip(chip)}</small>
      </span>
      {state === 'failed' && mayRetry && (
        <Button
          kind="plain"
          icon="retry"
          label={`Try ${name} again`}
          onPress={() => {
            attachments.retry(chip)
            focusBox()
          }}
        />
      )}
      {text !== null && state !== 'removing' && (
        <Button
          kind="plain"
          label={`Put ${name} back as text`}
          onPress={() => {
            void attachments.removeChip(chip)
            const before = composer.text.peek()
            composer.write(before === '' ? text : `${before}\n${text}`)
            focusBox()
          }}
        >
          As text
        </Button>
      )}
      <Button
        kind="plain"
        icon="close"
        label={`Remove ${name}`}
        isBusy={state === 'removing'}
        class="off"
        onPress={() => {
          void attachments.removeChip(chip)
          focusBox()
        }}
      />
      {isMoving && (
        <progress
          aria-label={`Upload of ${name}`}
          max={1}
          // No value: how long the server takes to store the file is unknown.
          {...(state === 'storing' ? {} : { value: fraction })}
        />
      )}
    </li>
  )
}
