// The files that an answer presents, as one card each: title, type, buttons to open and download, and the picture of an image.

import { useApp } from '../state/app.ts'
import { formatSize } from '../lib/format.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { kindOf, nameOf, pictureType, type Artifact } from '../run/files.ts'
import { iconOf } from './file-mark.tsx'
import { Picture } from './picture.tsx'
import { useDownload } from './use-download.ts'

export function Artifacts({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  if (artifacts.length === 0) return null
  return (
    <ul class="artifacts" aria-label="Files of the answer">
      {artifacts.map((artifact) => (
        <Card key={artifact.path} artifact={artifact} />
      ))}
    </ul>
  )
}

function Card({ artifact: { path, title, href, bytes, seq } }: { readonly artifact: Artifact }) {
  const { panel } = useApp()
  const download = useDownload()
  const name = nameOf(path)
  const details = [title === name ? null : name, kindOf(path), bytes === null ? null : formatSize(bytes)]
  const mediaType = pictureType(path)
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
