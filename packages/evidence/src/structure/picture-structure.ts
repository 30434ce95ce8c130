/** What the structure of a picture says before it is decoded. */
export interface PictureStructure {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Memory for the pixels that a decoder holds at once. 0 if the file stores them row by row. */
  readonly heldBytes: number;
  /** Whether the colours are those of a printer. Converting them takes ten times as long. */
  readonly isCmyk: boolean;
  readonly isAnimated: boolean;
}
