/** The used part of libheif-js. Its bundle contains the WebAssembly module and has no types. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number
    get_height(): number
    is_primary(): boolean
    /** Fills `data` with RGBA. Calls back with null if the pixels cannot be decoded. */
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (filled: object | null) => void,
    ): void
    free(): void
  }
  const libheif: { HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] } }
  // biome-ignore lint/style/noDefaultExport: The package has no other export.
  export default libheif
}
