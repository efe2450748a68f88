// A one-line input with its label, hint and error.

import { useId } from 'preact/hooks'
import type { Ref, TargetedInputEvent } from 'preact'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Called when the value is complete: after a paste, and when the field loses the focus. */
  readonly onComplete?: () => void
  /** Hides the value, as in a password field. */
  readonly isSecret?: boolean
  /** The kind of keyboard that a phone shows. */
  readonly keyboard?: 'numeric' | 'decimal' | 'search'
  readonly id?: string
  readonly placeholder?: string
  readonly hint?: string
  /** The error message, or null if there is no error. */
  readonly error?: string | null
  /** Shows the label to screen readers only, because text next to the field already names it. */
  readonly isLabelHidden?: boolean
  readonly required?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
}

export function Field(props: FieldProps) {
  const generatedId = useId()
  const id = props.id ?? generatedId
  const descriptionIds = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(' ')
  const inputProps = {
    ref: props.inputRef ?? null,
    id,
    value: props.value,
    placeholder: props.placeholder,
    required: props.required,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    inputMode: props.keyboard,
    'aria-invalid': props.error ? true : undefined,
    'aria-describedby': descriptionIds || undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => {
      props.onInput(event.currentTarget.value)
      if (event.inputType === 'insertFromPaste') props.onComplete?.()
    },
    onChange: props.onComplete,
  } as const
  return (
    <div class="field">
      <label for={id} class={props.isLabelHidden ? 'unseen' : undefined}>
        {props.label}
      </label>
      {props.isSecret ? <input type="password" {...inputProps} /> : <input type="text" {...inputProps} />}
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
