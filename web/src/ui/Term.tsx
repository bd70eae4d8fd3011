/** A term with its explanation one touch away: by finger, pointer, keyboard and screen reader alike. */
import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { GLOSSARY, type TermName } from "../model/glossary";

const MARGIN = 8;

export function Term({ name, children }: { name: TermName; children?: ComponentChildren }) {
  const { title, text } = GLOSSARY[name];
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const open = useSignal(false);
  /** Beside the term, within the window. */
  const place = (event: ToggleEvent & { currentTarget: HTMLElement }) => {
    const [box, from] = [event.currentTarget, button.current?.getBoundingClientRect()];
    if (event.newState !== "open" || !from) return;
    const { width, height } = box.getBoundingClientRect();
    const below = from.bottom + MARGIN + height < innerHeight;
    box.style.left = `${Math.max(MARGIN, Math.min(from.left, innerWidth - width - MARGIN))}px`;
    box.style.top = `${Math.max(MARGIN, below ? from.bottom + MARGIN : from.top - height - MARGIN)}px`;
  };
  return (
    <span class="term">
      <button ref={button} type="button" class="term-button" popovertarget={id} title="What is this?">{children ?? title}</button>
      <span
        id={id} popover="auto" class="explained" role="note"
        onBeforeToggle={(event: ToggleEvent) => (open.value = event.newState === "open")} onToggle={place}
      >
        {open.value && <><strong>{title}.</strong> {text}</>}
      </span>
    </span>
  );
}
