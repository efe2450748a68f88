// One line that a person fills in: its label, what helps to fill it, and what is wrong with it.

import { useId } from 'preact/hooks'
import type { Ref, TargetedInputEvent } from 'preact'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Shown as dots. */
  readonly secret?: boolean
  /** Which keys a phone shows. */
  readonly keys?: 'numeric' | 'decimal' | 'search'
  readonly id?: string
  readonly placeholder?: string
  readonly hint?: string
  /** In words; null: nothing is wrong. */
  readonly error?: string | null
  /** The label is heard, not seen: something beside the field says it to who sees. */
  readonly unseenLabel?: boolean
  readonly required?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
}

export function Field(props: FieldProps) {
  const made = useId()
  const id = props.id ?? made
  const notes = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(' ')
  const own = {
    ref: props.inputRef ?? null,
    id,
    value: props.value,
    placeholder: props.placeholder,
    required: props.required,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    inputMode: props.keys,
    'aria-invalid': props.error ? true : undefined,
    'aria-describedby': notes || undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => props.onInput(event.currentTarget.value),
  } as const
  return (
    <div class="field">
      <label for={id} class={props.unseenLabel ? 'unseen' : undefined}>
        {props.label}
      </label>
      {props.secret ? <input type="password" {...own} /> : <input type="text" {...own} />}
      {props.hint && (
        <p class="quiet" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.error && (
        <p class="wrong" id={`${id}-error`} role="alert">
          {props.error}
        </p>
      )}
    </div>
  )
}
