import { Menu, Tray, nativeImage } from "electron";
import { TRAY_ICON, TRAY_TEMPLATE } from "../generated/icons.ts";
import type { MenuPort, TrayPort } from "../ports.ts";

function trayImage(platform: NodeJS.Platform) {
  const scales = platform === "darwin" ? TRAY_TEMPLATE : TRAY_ICON;
  const image = nativeImage.createEmpty();
  for (const { scaleFactor, dataURL } of scales) image.addRepresentation({ scaleFactor, dataURL });
  image.setTemplateImage(platform === "darwin");
  return image;
}

export function createTrayPort(platform: NodeJS.Platform): TrayPort {
  let tray: Tray | undefined;
  return {
    show(onActivate) {
      try {
        tray = new Tray(trayImage(platform));
        tray.on("click", onActivate);
        return true;
      } catch {
        return false;
      }
    },
    update(tooltip, menu) {
      tray?.setToolTip(tooltip);
      tray?.setContextMenu(Menu.buildFromTemplate(menu));
    },
    remove() {
      tray?.destroy();
      tray = undefined;
    },
  };
}

export const createMenuPort = (): MenuPort => ({
  set(menu) {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
  },
});
