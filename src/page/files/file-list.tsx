// Lists all files of the thread, grouped by origin.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import type { FileInfo } from '../../thread/api.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { formatSize } from '../lib/format.ts'
import { describeFailure } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { kindOf, nameOf } from '../run/files.ts'
import { FileMark } from './file-mark.tsx'
import { FileName } from './file-name.tsx'
import { useDownload } from './use-download.ts'

export function FileList() {
  const { panel } = useApp()
  const fileToDelete = useSignal<FileInfo | null>(null)
  const files = panel.files.value
  if (panel.trouble.value)
    return <FailureNotice trouble={panel.trouble.value} onRetry={() => void panel.refresh()} />
  if (files === null) return <p class="quiet">Reading the files…</p>
  const outputs = files.filter(({ path }) => path.startsWith('outputs/'))
  const uploads = files.filter(({ path }) => path.startsWith('uploads/'))
  const workingFiles = files.filter((file) => !outputs.includes(file) && !uploads.includes(file))
  const remove = (file: FileInfo): void => {
    fileToDelete.value = file
  }
  return (
    <>
      {files.length === 0 && (
        <p class="quiet">No files yet. Files you attach and files the agent creates appear here.</p>
      )}
      <Group title="Created here" files={outputs} />
      <Group title="Uploads" files={uploads} onRemove={remove} />
      {workingFiles.length > 0 && (
        <details>
          <summary>Working files ({workingFiles.length})</summary>
          <Group title="" files={workingFiles} />
        </details>
      )}
      {fileToDelete.value && (
        <ConfirmDelete file={fileToDelete.value} onClose={() => (fileToDelete.value = null)} />
      )}
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly files: readonly FileInfo[]
  readonly onRemove?: (file: FileInfo) => void
}

function Group({ title, files, onRemove }: GroupProps) {
  if (files.length === 0) return null
  return (
    <section>
      {title && <h3>{title}</h3>}
      <ul class="file-list" aria-label={title || 'Working files'}>
        {files.map((file) => (
          <FileRow key={file.path} file={file} {...(onRemove ? { onRemove } : {})} />
        ))}
      </ul>
    </section>
  )
}

function FileRow({
  file,
  onRemove,
}: {
  readonly file: FileInfo
  readonly onRemove?: (file: FileInfo) => void
}) {
  const { panel } = useApp()
  const download = useDownload()
  const { path, bytes, href } = file
  const button = useRef<HTMLButtonElement>(null)
  // When the user returns from a file to the list, the focus returns to the file's row.
  useLayoutEffect(() => {
    if (panel.returnedFrom.peek() === path) button.current?.focus()
  }, [])
  const name = nameOf(path)
  // The directories between the root and the name.
  const folder = path.split('/').slice(1, -1).join('/')
  return (
    <li>
      <button ref={button} type="button" class="file" onClick={() => panel.show(path)}>
        <FileMark path={path} bytes={bytes} href={href} version={file.sha256} />
        <span class="text">
          <FileName name={name} />
          <small>{[folder, kindOf(path), formatSize(bytes)].filter(Boolean).join(' · ')}</small>
        </span>
      </button>
      <Button
        kind="plain"
        icon="download"
        label={`Download ${name}`}
        isBusy={download.isDownloading.value}
        onPress={() => void download.start(path, href)}
      />
      {onRemove && (
        <Button kind="plain" icon="trash" label={`Delete ${name}`} onPress={() => onRemove(file)} />
      )}
      {download.error.value && <p role="alert">{download.error.value}</p>}
    </li>
  )
}

function ConfirmDelete({ file, onClose }: { readonly file: FileInfo; readonly onClose: () => void }) {
  const { panel, attachments, announce } = useApp()
  const failureDetail = useSignal('')
  const name = nameOf(file.path)
  const remove = async (): Promise<void> => {
    const result = await panel.remove(file)
    if (result && !result.ok) {
      failureDetail.value = describeFailure('', result.error).detail
      return
    }
    attachments.forgetFiles([file])
    announce(`${name} is deleted.`)
    onClose()
  }
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <p>The agent can no longer read it. This cannot be undone.</p>
      {failureDetail.value && <p role="alert">The file could not be deleted. {failureDetail.value}</p>}
      <footer>
        <Button onPress={onClose}>Keep</Button>
        <Button kind="danger" onPress={() => void remove()}>
          Delete
        </Button>
      </footer>
    </Dialog>
  )
}
