import { type BytePicture, type Picture, pictureLike } from './picture.ts'
import { place } from './place.ts'

/** A part of a picture, in pixels. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The part of a picture, in its mode. What lies outside of the picture is 0 in every band. */
export function crop(picture: BytePicture, area: Area): BytePicture
export function crop(picture: Picture, area: Area): Picture
export function crop(picture: Picture, { left, top, width, height }: Area): Picture {
  const part = pictureLike(picture, width, height)
  place(part, picture, -left, -top)
  return part
}
