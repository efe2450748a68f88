// A file's name on one line. If there is no room, its middle is left out, because its end says what kind of file it is.

/** A longer name is split before its last characters, but not before a mark that belongs to another character. */
const LONG_NAME = /^(.{12,})(\P{M}.{9})$/su

export function FileName({ name }: { readonly name: string }) {
  const [, start, end] = LONG_NAME.exec(name) ?? []
  if (start === undefined)
    return (
      <span class="file-name" dir="auto" title={name}>
        {name}
      </span>
    )
  // In one piece for screen readers.
  return (
    <span class="file-name split-name" dir="auto" title={name}>
      <span class="unseen">{name}</span>
      <span class="start" aria-hidden="true">
        {start}
      </span>
      <span aria-hidden="true">{end}</span>
    </span>
  )
}
