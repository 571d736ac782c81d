interface GeneratorNames {
  /** The name that people read. */
  name: string
  /** A short name for a tile, which can be small. null: cameras get no badge. */
  badge: string | null
}

/** The programs and devices that make images and write metadata into them, by the ID in `generator`. */
export const generators = {
  invokeai: { name: 'InvokeAI', badge: 'InvokeAI' },
  a1111: { name: 'Stable Diffusion web UI', badge: 'A1111' },
  sdnext: { name: 'SD.Next', badge: 'SD.Next' },
  forge: { name: 'Forge', badge: 'Forge' },
  reforge: { name: 'reForge', badge: 'reForge' },
  kritaai: { name: 'Krita AI Diffusion', badge: 'Krita AI' },
  civitai: { name: 'Civitai', badge: 'Civitai' },
  tensorart: { name: 'TensorArt', badge: 'TensorArt' },
  swarmui: { name: 'SwarmUI', badge: 'SwarmUI' },
  fooocus: { name: 'Fooocus', badge: 'Fooocus' },
  ruinedfooocus: { name: 'RuinedFooocus', badge: 'Ruined' },
  easydiffusion: { name: 'Easy Diffusion', badge: 'EasyDiff' },
  drawthings: { name: 'Draw Things', badge: 'Draw' },
  diffusionbee: { name: 'DiffusionBee', badge: 'DiffBee' },
  novelai: { name: 'NovelAI', badge: 'NovelAI' },
  midjourney: { name: 'Midjourney', badge: 'MJ' },
  niji: { name: 'Niji', badge: 'Niji' },
  dreamstudio: { name: 'DreamStudio', badge: 'Dream' },
  firefly: { name: 'Adobe Firefly', badge: 'Firefly' },
  dalle: { name: 'DALL-E', badge: 'DALL-E' },
  gemini: { name: 'Gemini', badge: 'Gemini' },
  comfyui: { name: 'ComfyUI', badge: 'ComfyUI' },
  camera: { name: 'Camera', badge: null },
} as const satisfies Record<string, GeneratorNames>

export type ImageGenerator = keyof typeof generators

/** The IDs, in the order of the table. */
export const generatorIds = Object.keys(generators) as ImageGenerator[]
