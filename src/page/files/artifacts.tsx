// The files that an answer presents, as one card each: title, type, buttons to open and download, and the picture of an image
// that the answer does not show itself.

import { useApp } from '../state/app.ts'
import { formatSize } from '../lib/format.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { isShownInText, kindOf, nameOf, pictureType, type Artifact } from '../run/files.ts'
import type { RunState } from '../run/state.ts'
import { iconOf } from './file-mark.tsx'
import { Picture } from './picture.tsx'
import { useDownload } from './use-download.ts'

export function Artifacts({ run: { artifacts, items } }: { readonly run: RunState }) {
  if (artifacts.length === 0) return null
  return (
    <ul class="artifacts" aria-label="Files of the answer">
      {artifacts.map((artifact) => (
        <Card key={artifact.path} artifact={artifact} hasPicture={!isShownInText(artifact.path, items)} />
      ))}
    </ul>
  )
}

interface CardProps {
  readonly artifact: Artifact
  readonly hasPicture: boolean
}

function Card({ artifact: { path, title, href, bytes, seq }, hasPicture }: CardProps) {
  const { panel } = useApp()
  const download = useDownload()
  const name = nameOf(path)
  const details = [title === name ? null : name, kindOf(path), bytes === null ? null : formatSize(bytes)]
  const mediaType = hasPicture ? pictureType(path) : null
  return (
    <li class="artifact">
      <div class="head">
        <Icon name={iconOf(path)} />
        <span class="text">
          <strong dir="auto">{title}</strong>
          <small>{details.filter((part) => part !== null).join(' · ')}</small>
        </span>
        <Button label={`Open ${title}`} onPress={() => panel.show(path)}>
          Open
        </Button>
        <Button
          kind="plain"
          icon="download"
          label={`Download ${title}`}
          isBusy={download.isDownloading.value}
          onPress={() => void download.start(path, href)}
        />
      </div>
      {download.error.value && <p role="alert">{download.error.value}</p>}
      {mediaType && <Picture href={href} mediaType={mediaType} title={title} version={String(seq)} />}
    </li>
  )
}
