import { blossom } from '#demo/scenes/blossom.ts'
import { forest } from '#demo/scenes/forest.ts'
import { city, dunes, mountains, sea } from '#demo/scenes/landscapes.ts'
import { bokeh, marble, mosaic, nebula } from '#demo/scenes/patterns.ts'
import { planet } from '#demo/scenes/planet.ts'
import { shapes } from '#demo/scenes/shapes.ts'
import { type Palette, palettes } from './palette.ts'
import type { Scene } from './scene.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** Returns the subject and the palette of a seed, and the random generator for further properties. */
export const lookOf = (
  pictureSeed: number,
): { subject: Subject; palette: Palette; random: SeededRandom } => {
  const random = seededRandom(pictureSeed)
  return { subject: random.pick(subjects), palette: random.pick(palettes), random }
}

/** A subject with its scene, its prompts and the board for it. */
interface Subject {
  scene: Scene
  board: string
  prompts: readonly [string, ...string[]]
}

const subjects: readonly [Subject, ...Subject[]] = [
  {
    scene: mountains,
    board: 'Landscapes/Mountains',
    prompts: [
      'a lonely alpine lake below jagged peaks',
      'ridge behind ridge fading into the haze',
      'a castle valley seen from a high pass, no people',
      'still water mirroring a mountain range',
    ],
  },
  {
    scene: dunes,
    board: 'Landscapes/Deserts',
    prompts: [
      'endless sand dunes with wind ripples',
      'a desert horizon, long shadows on the dunes',
      'waves of sand under a wide sky',
    ],
  },
  {
    scene: sea,
    board: 'Landscapes/Coast',
    prompts: [
      'open sea with a path of light on the water',
      'a dark headland above a calm ocean',
      'slow waves rolling towards the viewer',
    ],
  },
  {
    scene: forest,
    board: 'Landscapes/Forests',
    prompts: [
      'fir trees fading into fog',
      'a silent pine forest on a hillside',
      'layers of spruce in drifting mist',
    ],
  },
  {
    scene: city,
    board: 'Cities',
    prompts: [
      'a city skyline with lit windows',
      'towers above a hazy avenue',
      'a futuristic metropolis seen from across the river',
    ],
  },
  {
    scene: nebula,
    board: 'Space',
    prompts: [
      'a glowing nebula with newborn stars',
      'clouds of interstellar dust, deep field',
      'a cosmic storm of gas and light',
    ],
  },
  {
    scene: planet,
    board: 'Space',
    prompts: [
      'a ringed gas giant in front of a star field',
      'an alien world at first light, seen from orbit',
      'a half-lit planet with a thin atmosphere',
    ],
  },
  {
    scene: marble,
    board: 'Studies/Ink',
    prompts: [
      'poured ink folding into itself, macro',
      'marbled paper with fine gold veins',
      'fluid acrylic art, swirling pigment',
    ],
  },
  {
    scene: bokeh,
    board: 'Studies/Light',
    prompts: [
      'street lights out of focus after rain',
      'soft bokeh circles drifting upwards',
      'fairy lights seen through frosted glass',
    ],
  },
  {
    scene: mosaic,
    board: 'Studies/Glass',
    prompts: [
      'a stained glass window with the sun behind it',
      'an irregular mosaic of coloured panes',
      'cathedral glass, abstract pattern',
    ],
  },
  {
    scene: shapes,
    board: 'Clients/Acme/Posters',
    prompts: [
      'a mid-century poster of circles and stripes',
      'a geometric pattern of quarter circles, flat design',
      'an abstract cover for a jazz record',
    ],
  },
  {
    scene: blossom,
    board: 'Clients/Flora',
    prompts: [
      'a dahlia in full bloom, shallow depth of field',
      'garden flowers close up, petals catching the light',
      'a single blossom before a blurred meadow',
    ],
  },
]
