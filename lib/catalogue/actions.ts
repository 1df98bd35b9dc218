export { createCategory, deleteCategory, readCategory, updateCategory } from "./categories.ts";
export { createPet, deletePet, readPet, restorePet, updatePet } from "./pets.ts";
export { readProfile, updateProfile } from "./profiles.ts";
